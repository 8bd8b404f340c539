import { type Ruled } from "@/events/core/envelope";
import { type AdmissionRow } from "@/events/crdt/validation/admission";
import { type Timeline } from "@/events/history/timeline/timeline";
import { carriageIn, provenanceOf } from "./carriage";
import { type Attribution, type CarriedText, attributeTexts, carriedTexts } from "./lineage";

/** A row of a source's log: what it wrote, and where that came from if it was carried there in turn. */
export type AncestorRow = AdmissionRow & Pick<Ruled, "type" | "body">;

/** Reads the first `upTo` rows of a stream's log; null where the reader may not, or where it is longer than names are worth. */
export type ReadLog = (stream: string, upTo: number) => Promise<readonly AncestorRow[] | null>;

/** A stream from which something came, how far it had come, and by which versions of this one. */
export type Source = { source: string; upTo: number; versions: readonly number[] };

/** As many times as something may have been carried on before its writers are asked for no further. */
const furthest = 16;

/** The sources of which a document's own log does not say who wrote there. */
export function sourcesOf(timeline: Timeline): Source[] {
  const carriages = provenanceOf(timeline).carriages.filter(({ writers }) => writers.length === 0);
  return [...new Set(carriages.map(({ source }) => source))].map((source) => {
    const own = carriages.filter((carriage) => carriage.source === source);
    return {
      source,
      upTo: Math.max(...own.map(({ version }) => version)),
      versions: own.map(({ to }) => timeline.moment(to).version),
    };
  });
}

/**
 * Attributes what carrying events brought by the log of their source, and what that had from elsewhere by the log it came
 * from, step by step. Where a step's log cannot be read, whose words they are stays unknown.
 */
export async function attributeThrough(
  payloads: readonly Uint8Array[],
  { source, upTo }: Pick<Source, "source" | "upTo">,
  read: ReadLog,
): Promise<Attribution[]> {
  return (await traced(payloads.flatMap(carriedTexts), { source, upTo }, read, 0)) ?? [];
}

async function traced(
  texts: readonly CarriedText[],
  { source, upTo }: { source: string; upTo: number },
  read: ReadLog,
  step: number,
): Promise<Attribution[] | null> {
  const rows = step < furthest ? await read(source, upTo) : null;
  if (rows === null) return null;
  const attributions = attributeTexts(texts, rows);
  const onward = new Map<string, { upTo: number; texts: CarriedText[] }>();
  for (const { origin, client, clock, length } of attributions) {
    const carrying = origin && origin.source !== null ? carriedBy(rows[origin.version - 1]) : null;
    const words = textAt(texts, client, clock, length);
    if (carrying === null || words === null) continue;
    const known = onward.get(carrying.document) ?? { upTo: 0, texts: [] };
    onward.set(carrying.document, {
      upTo: Math.max(known.upTo, carrying.version),
      texts: [...known.texts, { client, clock, text: words }],
    });
  }
  const before = new Map<string, Attribution[]>();
  for (const [document, asked] of onward) {
    const told = await traced(asked.texts, { source: document, upTo: asked.upTo }, read, step + 1);
    if (told !== null) before.set(document, told);
  }
  return attributions.flatMap((here): Attribution[] => {
    const { origin } = here;
    if (origin === null || origin.source === null) return [here];
    const row = rows[origin.version - 1];
    const name = namedIn(row, here.client);
    if (name !== null) return [{ ...here, origin: { ...origin, source: null, name } }];
    const told = before
      .get(origin.source)
      ?.filter(
        ({ client, clock }) =>
          client === here.client && clock >= here.clock && clock < here.clock + here.length,
      );
    if (told === undefined || told.length === 0) return [here];
    // What that log does not hold are the words of whoever carried them on.
    return told.map((each) =>
      each.origin === null
        ? { ...each, origin: { actorId: origin.actorId, version: origin.version, source: null } }
        : each,
    );
  });
}

function textAt(
  texts: readonly CarriedText[],
  client: number,
  clock: number,
  length: number,
): string | null {
  const held = texts.find(
    (each) =>
      each.client === client &&
      each.clock <= clock &&
      each.clock + each.text.length >= clock + length,
  );
  return held ? held.text.slice(clock - held.clock, clock - held.clock + length) : null;
}

function carriedBy(row: AncestorRow | undefined): ReturnType<typeof carriageIn> {
  return row ? carriageIn(row) : null;
}

/** An import says by which name a client id wrote. */
function namedIn(row: AncestorRow | undefined, client: number): string | null {
  const authors = carriedBy(row)?.authors ?? [];
  return authors.find(({ clients }) => clients.includes(client))?.name ?? null;
}
