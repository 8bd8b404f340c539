import type { SupabaseClient } from "@supabase/supabase-js";
import { linesOfSession } from "@/events/analysis/change-lines/change-lines";
import type { OwnLine } from "@/events/analysis/change-lines/change-lines";
import { faultOf, supabaseStore } from "@/events/log/store";
import { storableJson } from "@/events/core/text/storable-text";
import { readHistory } from "./history-source";
import type { Tools } from "./task";

/** The most sessions, newest first, that get lines when a history has no lines yet. */
const mostSessions = 40;

type Result = { lines: number };

/** Returns the last version that a stored line covers, or 0 without stored lines. */
async function lastVersionWithLine(client: SupabaseClient, stream: string): Promise<number> {
  const query = client.from("change_lines").select("to_version").eq("stream_id", stream);
  const { data, error, status } = await query
    .order("to_version", { ascending: false })
    .limit(1)
    .overrideTypes<{ to_version: number }[], { merge: false }>();
  if (error) throw faultOf(error, status);
  return data[0]?.to_version ?? 0;
}

const wireOf = ({ actorId, ...line }: OwnLine) => ({ ...line, actor: actorId });

/**
 * Derives the lines that describe the changes of a document. The last session may have continued
 * since, so it is derived again, with all sessions that follow it.
 */
export async function lines(
  client: SupabaseClient,
  { document }: { document: string },
  tools: Tools,
): Promise<Result> {
  const timeline = await readHistory(client, document);
  const { version: seen, timingMap } = timeline;
  const [head] = await supabaseStore(client).read(document, seen - 1, 1);
  if (!head) return { lines: 0 };
  const derived = await lastVersionWithLine(client, document);
  const count = timingMap.sessions.length;
  const known = derived === 0 ? 0 : timingMap.sessionOf(timeline.ofVersion(derived));
  const first = Math.max(known, count - mostSessions);
  const made: OwnLine[][] = [];
  // The newest sessions are first: if time runs out, those missing are the last that readers see.
  let session = count - 1;
  for (; session >= first && !(tools.isLate() && session < count - 1); session -= 1)
    made.push(linesOfSession(timeline, session));
  const lines = made.toReversed().flat();
  const begins = timingMap.sessions[session + 1]?.from ?? 0;
  const { error, status } = await client.rpc("write_lines", {
    stream: document,
    after_version: timeline.revision(begins).version - 1,
    seen,
    head: head.hash,
    lines: storableJson(lines.map(wireOf)),
  });
  if (error) throw faultOf(error, status);
  return { lines: lines.length };
}
