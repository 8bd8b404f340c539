import type { Timeline, TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { indexAt } from "@/events/crdt/updates/clock-ranges";
import { copyInFields, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import { firstWritten } from "./first-letters";
import type { FirstWritten } from "./first-letters";
import { copiedTexts, SourceLog } from "@/events/analysis/lineage/lineage";
import type { Attribution, ImportedContent } from "@/events/analysis/lineage/lineage";

/**
 * Reads the first `upTo` rows of a stream's log. Null if the reader has no access, or if the log is
 * too long to be read only for names.
 */
export type ReadLog = (stream: string, upTo: number) => Promise<readonly TimelineRow[] | null>;

/**
 * A source stream, the newest of its versions that was copied, and the versions of this stream that
 * copied it in.
 */
export type Source = { source: string; upTo: number; versions: readonly number[] };

/** The most copy-ins in a row through which writers are traced. */
const furthest = 16;

/** Returns the sources whose writers the document's own log does not name. */
export function sourcesOf(timeline: Timeline): Source[] {
  const copyIns = contentOriginOf(timeline).copyIns.filter(({ writers }) => writers.length === 0);
  const bySource = new Map<string, CopyIn[]>();
  for (const copyIn of copyIns) {
    const own = bySource.get(copyIn.source);
    if (own) own.push(copyIn);
    else bySource.set(copyIn.source, [copyIn]);
  }
  return [...bySource].map(([source, own]) => ({
    source,
    upTo: own.reduce((most, { version }) => Math.max(most, version), 0),
    versions: own.map(({ to }) => timeline.revision(to).version),
  }));
}

/**
 * Attributes copied-in content by its source's log. Content that the source copied in itself is
 * attributed by the log of its own source, step by step. If a log cannot be read, its authors stay
 * unknown.
 */
export async function attributeThrough(
  payloads: readonly Uint8Array[],
  { source, upTo }: Pick<Source, "source" | "upTo">,
  read: ReadLog,
): Promise<Attribution[]> {
  return (await traced(payloads.flatMap(copiedTexts), { source, upTo }, read, 0)) ?? [];
}

async function traced(
  texts: readonly ImportedContent[],
  { source, upTo }: { source: string; upTo: number },
  read: ReadLog,
  step: number,
): Promise<Attribution[] | null> {
  const rows = step < furthest ? await read(source, upTo) : null;
  if (rows === null) return null;
  const runs = runsOf(texts);
  const found = attributionsIn(rows, runs);
  const onward = new Map<string, { upTo: number; texts: ImportedContent[] }>();
  for (const { origin, client, clock, length, first } of found) {
    const copyIn = origin && origin.source !== null ? copyInOf(rows[origin.version - 1]) : null;
    const words = textAt(runs.get(client) ?? [], clock, length);
    if (copyIn === null || words === null) continue;
    const known = onward.get(copyIn.document) ?? { upTo: 0, texts: [] };
    known.upTo = Math.max(known.upTo, copyIn.version);
    known.texts.push({ ...first, text: words });
    onward.set(copyIn.document, known);
  }
  const before = new Map<string, Map<number, Attribution[]>>();
  for (const [document, asked] of onward) {
    const told = await traced(asked.texts, { source: document, upTo: asked.upTo }, read, step + 1);
    if (told !== null) before.set(document, byClient(told));
  }
  return found.flatMap(({ first, ...here }): Attribution[] => {
    const { origin } = here;
    if (origin === null || origin.source === null) return [here];
    const row = rows[origin.version - 1];
    const name = namedIn(row, first.client);
    if (name !== null) return [{ ...here, origin: { ...origin, source: null, name } }];
    const inherited = within(before.get(origin.source)?.get(first.client) ?? [], {
      ...first,
      length: here.length,
    });
    if (inherited.length === 0) return [here];
    return inherited.map((each) => ({
      client: here.client,
      clock: here.clock + each.clock - first.clock,
      length: each.length,
      // Words that the source log does not hold are attributed to the person who copied them.
      origin: each.origin ?? { ...origin, source: null },
    }));
  });
}

/**
 * Attributes the words that a log holds. Letters that the log restored or rewrote elsewhere are
 * attributed to their first writer, under the `first` ids.
 */
function attributionsIn(
  rows: readonly TimelineRow[],
  runs: ReadonlyMap<number, readonly TextRun[]>,
): (Attribution & FirstWritten)[] {
  const source = new SourceLog(rows);
  const told = [...runs].flatMap(([client, own]) =>
    own.flatMap(({ clock, text }) => source.attribute({ client, clock, text })),
  );
  if (told.every(({ origin }) => origin === null))
    return told.map((each) => ({ ...each, first: { client: each.client, clock: each.clock } }));
  const timeline = openTimeline(rows);
  return told.flatMap((each) => {
    if (each.origin === null)
      return [{ ...each, first: { client: each.client, clock: each.clock } }];
    return firstWritten(each, timeline).flatMap((run) => {
      const text = textAt(runs.get(run.client) ?? [], run.clock, run.length) ?? "";
      return source.attribute({ ...run.first, text }).map(({ clock, length, origin }) => ({
        client: run.client,
        clock: run.clock + clock - run.first.clock,
        length,
        first: { client: run.first.client, clock },
        origin,
      }));
    });
  });
}

type TextRun = { clock: number; length: number; text: string };

/** Groups words by client, sorted by clock. Overlapping or adjacent copies become one run. */
function runsOf(texts: readonly ImportedContent[]): Map<number, TextRun[]> {
  const runs = new Map<number, TextRun[]>();
  for (const { client, clock, text } of [...texts].sort((a, b) => a.clock - b.clock)) {
    const own = runs.get(client) ?? [];
    runs.set(client, own);
    const last = own.at(-1);
    const more = last ? last.clock + last.length - clock : -1;
    if (!last || more < 0) own.push({ clock, length: text.length, text });
    else if (more < text.length) {
      last.text += text.slice(more);
      last.length += text.length - more;
    }
  }
  return runs;
}

function textAt(runs: readonly TextRun[], clock: number, length: number): string | null {
  const held = runs[indexAt(runs, clock)];
  if (!held || held.clock > clock || held.clock + held.length < clock + length) return null;
  return held.text.slice(clock - held.clock, clock - held.clock + length);
}

/** Groups attributions by client, sorted by clock. */
function byClient(attributions: readonly Attribution[]): Map<number, Attribution[]> {
  const clients = new Map<number, Attribution[]>();
  for (const each of attributions) {
    const own = clients.get(each.client);
    if (own) own.push(each);
    else clients.set(each.client, [each]);
  }
  for (const own of clients.values()) own.sort((a, b) => a.clock - b.clock);
  return clients;
}

/** Returns the attributions of a range. */
function within(
  attributions: readonly Attribution[],
  { clock, length }: Pick<Attribution, "clock" | "length">,
): Attribution[] {
  const found: Attribution[] = [];
  for (let index = indexAt(attributions, clock); index < attributions.length; index += 1) {
    const each = attributions[index];
    if (!each || each.clock >= clock + length) break;
    // A range may have been queried in several parts and attributed as a whole.
    const from = Math.max(each.clock, clock);
    const end = Math.min(each.clock + each.length, clock + length);
    if (end > from) found.push({ ...each, clock: from, length: end - from });
  }
  return found;
}

function copyInOf(row: TimelineRow | undefined): ReturnType<typeof copyInFields> {
  return row ? copyInFields(row) : null;
}

/** Returns the name that an import gives to a client id, or null. */
function namedIn(row: TimelineRow | undefined, client: number): string | null {
  const authors = copyInOf(row)?.authors ?? [];
  return authors.find(({ clients }) => clients.includes(client))?.name ?? null;
}
