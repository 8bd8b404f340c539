import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as Y from "yjs";

export type TraceName = "clownschool" | "seph-blog1" | "json-crdt-patch";
type Patch = readonly [position: number, deleted: number, inserted: string, time?: string];
type Transaction = { parents?: number[]; agent?: number; time?: string; patches: Patch[] };
export type Trace = { name: TraceName; endContent: string; agents: number; txns: Transaction[] };
export type TraceEdit = { agent: number; time: number; update: Uint8Array };

/** The Yjs client of each agent. */
export const traceClients = [1_000_000_007, 1_097_654_328, 1_195_308_649];

const folder = process.env.PALIMPSEST_TRACES ?? "../shared/traces";
const candidates = [folder, `../${folder}`];

/** Reads a recorded editing session, or returns null if the recordings are not available. */
export function readTrace(name: TraceName): Trace | null {
  const file = candidates.map((path) => `${path}/${name}.json.gz`).find((path) => existsSync(path));
  if (!file) return null;
  // The recordings have a fixed, documented shape and are not user input.
  const json = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    endContent: string;
    numAgents?: number;
    txns: Transaction[];
  };
  return { name, endContent: json.endContent, agents: json.numAgents ?? 1, txns: json.txns };
}

/** Returns a document's text in the editor's structure: one paragraph in the fragment `default`. */
export function paragraphText(doc: Y.Doc): Y.XmlText {
  const paragraph = doc.getXmlFragment("default").get(0);
  const text = paragraph instanceof Y.XmlElement ? paragraph.get(0) : undefined;
  if (!(text instanceof Y.XmlText)) throw new Error("The document has no paragraph.");
  return text;
}

function unitsBefore(text: string, points: number): number {
  let units = 0;
  for (let left = points; left > 0 && units < text.length; left -= 1)
    units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

function applyPatches(text: Y.XmlText, patches: Patch[], astral: boolean): void {
  for (const [position, deleted, inserted] of patches) {
    const before = astral ? text.toString() : "";
    const start = astral ? unitsBefore(before, position) : position;
    const end = astral ? unitsBefore(before, position + deleted) : position + deleted;
    if (end > start) text.delete(start, end - start);
    if (inserted !== "") text.insert(start, inserted);
  }
}

function missing(trace: Trace, seen: Set<number>, parents: number[]): number[] {
  const found = new Set<number>();
  const stack = [...parents];
  for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
    if (seen.has(index) || found.has(index)) continue;
    found.add(index);
    stack.push(...(trace.txns[index]?.parents ?? []));
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * Converts the session to single Yjs updates, each made on the document of its agent. The first
 * update creates the paragraph.
 */
export function traceEdits(trace: Trace): TraceEdit[] {
  const astral = trace.txns.some(({ patches }) =>
    patches.some(([, , inserted]) => /[\u{10000}-\u{10ffff}]/u.test(inserted)),
  );
  const edits: TraceEdit[] = [];
  const docs = Array.from({ length: trace.agents }, (_, agent) => {
    const doc = new Y.Doc({ gc: false });
    doc.clientID = traceClients[agent] ?? 0;
    return doc;
  });
  const seen = docs.map(() => new Set<number>());
  let author = 0;
  let time = 0;
  for (const [agent, doc] of docs.entries()) {
    doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== "trace") edits.push({ agent, time, update });
    });
  }
  const start = Date.parse(trace.txns[0]?.time ?? "2024-01-01T00:00:00Z");
  time = start;
  docs[0]?.transact(() => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText()]);
    docs[0]?.getXmlFragment("default").insert(0, [paragraph]);
  });
  for (const [agent, doc] of docs.entries()) {
    const first = edits[0];
    if (agent > 0 && first) Y.applyUpdate(doc, first.update, "trace");
  }
  for (const [index, txn] of trace.txns.entries()) {
    author = txn.agent ?? 0;
    const doc = docs[author];
    const known = seen[author];
    if (!doc || !known) throw new Error("The recording names an unknown agent");
    if (trace.agents > 1) {
      for (const other of missing(trace, known, txn.parents ?? [])) {
        known.add(other);
        const edit = edits[other + 1];
        if (edit) Y.applyUpdate(doc, edit.update, "trace");
      }
    }
    time = Math.max(time, Date.parse(txn.time ?? txn.patches[0]?.[3] ?? "") || time);
    const count = edits.length;
    doc.transact(() => applyPatches(paragraphText(doc), txn.patches, astral));
    if (edits.length === count) edits.push({ agent: author, time, update: new Uint8Array([0, 0]) });
    known.add(index);
  }
  return edits;
}

/** Groups edits as a client flushes them: per agent, all edits within `window` ms of the first. */
export function flushes(edits: TraceEdit[], window: number): TraceEdit[][] {
  const open = new Map<number, TraceEdit[]>();
  const done: TraceEdit[][] = [];
  for (const edit of edits) {
    const batch = open.get(edit.agent);
    const first = batch?.[0];
    if (batch && first && edit.time - first.time < window) batch.push(edit);
    else {
      const fresh = [edit];
      open.set(edit.agent, fresh);
      done.push(fresh);
    }
  }
  return done;
}

/**
 * Returns the name of a test that is skipped without its recording. Recordings are not part of the
 * project.
 */
export function absent(name: TraceName): string {
  return `${name} is not at hand (PALIMPSEST_TRACES names the folder of the recordings)`;
}
