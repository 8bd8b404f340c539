import type { SupabaseClient } from "@supabase/supabase-js";
import { XmlElement, type XmlFragment } from "yjs";
import { linksOf } from "@/events/analysis/document-links";
import { storableJson } from "@/events/core/storable-text";
import { faultOf } from "@/events/log/store";
import { fold } from "./fold";
import { readHistory } from "./history-source";
import { rememberEnd } from "./present-task";
import type { Tools } from "./task";

/** A document whose log has gone beyond what is known of its links, and how many those are. */
type UnlinkedDocument = { stream: string; version: number; head: number; links: number };

function hasLink(parent: XmlFragment): boolean {
  return parent
    .toArray()
    .some(
      (child) =>
        child instanceof XmlElement && (child.nodeName === "documentLink" || hasLink(child)),
    );
}

/** All links that a document ever had, as they are stored, and the version up to which its log was read. */
async function readLinks(service: SupabaseClient, stream: string) {
  const timeline = await readHistory(service, stream);
  const versionOf = (revision: number) => timeline.revision(revision).version;
  const timeOf = (revision: number) => new Date(timeline.timeOf(revision)).toISOString();
  const links = linksOf(timeline).map(({ target, block, from, until, before, after }) => ({
    target,
    block: block.replace(":", "-"),
    before,
    after,
    from: versionOf(from),
    fromTime: timeOf(from),
    until: until === null ? null : versionOf(until),
    untilTime: until === null ? null : timeOf(until),
  }));
  return { links, seen: timeline.version };
}

/**
 * Keeps what is known of a document's links up with its log. One that has none and had none is
 * asked for its present text alone. Answers whether it is up now.
 */
export async function keepLinks(
  client: SupabaseClient,
  { stream, version, head, links }: UnlinkedDocument,
  tools: Tools,
): Promise<boolean> {
  const folded = await fold(client, { document: stream, at: null, light: false }, tools);
  const { confirmed, stoppedAt, late } = folded;
  await rememberEnd(folded, stream, tools);
  // The rest has its turn in another round.
  if (late) return false;
  const without = version > 0 && links === 0 && !hasLink(confirmed.doc.getXmlFragment("default"));
  // One that cannot be folded to its end keeps what is known of it, which is not all.
  const read =
    without || stoppedAt !== null
      ? { links: null, seen: stoppedAt === null ? confirmed.version : head }
      : await readLinks(client, stream);
  const { error, status } = await client.rpc("write_links", {
    stream,
    seen: read.seen,
    links: storableJson(read.links),
    whole: stoppedAt === null,
  });
  if (error) throw faultOf(error, status);
  return true;
}
