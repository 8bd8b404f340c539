import type { SupabaseClient } from "@supabase/supabase-js";
import { XmlElement } from "yjs";
import type { XmlFragment } from "yjs";
import { linksOf } from "@/events/analysis/document-links";
import { storableJson } from "@/events/core/text/storable-text";
import { faultOf } from "@/events/log/store";
import { fold } from "./fold";
import { readHistory } from "./history-source";
import { rememberEnd } from "./present-task";
import type { Tools } from "./task";

/**
 * A document whose log has grown since its links were read, with the number of its known links, and
 * whether its text was edited since.
 */
type UnlinkedDocument = {
  stream: string;
  version: number;
  head: number;
  links: number;
  written: boolean;
};
type Known = {
  seen: number;
  links: Awaited<ReturnType<typeof readLinks>>["links"] | null;
  whole: boolean | null;
};

function hasLink(parent: XmlFragment): boolean {
  return parent
    .toArray()
    .some(
      (child) =>
        child instanceof XmlElement && (child.nodeName === "documentLink" || hasLink(child)),
    );
}

/** Reads all links that a document ever had, in stored form, and the version that was reached. */
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
 * Updates the stored links of a document. If it never had links, only the current text is read.
 * Returns whether the links are up to date.
 */
export async function keepLinks(
  client: SupabaseClient,
  document: UnlinkedDocument,
  tools: Tools,
): Promise<boolean> {
  const { stream, head, written } = document;
  const known = written
    ? await knownLinks(client, document, tools)
    : { seen: head, links: null, whole: null };
  // The rest is left to a later round.
  if (known === null) return false;
  const { error, status } = await client.rpc("write_links", {
    stream,
    ...known,
    links: storableJson(known.links),
  });
  if (error) throw faultOf(error, status);
  return true;
}

/** Reads the links in a document's text. Null if the text could not be read completely in time. */
async function knownLinks(
  client: SupabaseClient,
  { stream, version, head, links }: UnlinkedDocument,
  tools: Tools,
): Promise<Known | null> {
  const folded = await fold(client, { document: stream, at: null, light: false }, tools);
  const { confirmed, stoppedAt, late } = folded;
  await rememberEnd(folded, stream, tools);
  if (late) return null;
  const without = version > 0 && links === 0 && !hasLink(confirmed.doc.getXmlFragment("default"));
  // If the text cannot be folded completely, the known links stay, marked as incomplete.
  if (stoppedAt !== null) return { seen: head, links: null, whole: false };
  if (without) return { seen: confirmed.version, links: null, whole: true };
  return { ...(await readLinks(client, stream)), whole: true };
}
