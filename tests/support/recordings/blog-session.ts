import * as Y from "yjs";
import { traceClients } from "./traces";
import type { Trace, TraceEdit } from "./traces";

type Textblock = { element: Y.XmlElement; text: Y.XmlText; length: number; words: string };

function textblock(words: string): Textblock {
  const element = new Y.XmlElement("paragraph");
  const text = new Y.XmlText();
  if (words !== "") text.insert(0, words);
  element.insert(0, [text]);
  return { element, text, length: words.length, words };
}

function change(at: Textblock, from: number, deleted: number, inserted: string): void {
  if (deleted > 0) at.text.delete(from, deleted);
  if (inserted !== "") at.text.insert(from, inserted);
  at.words = at.words.slice(0, from) + inserted + at.words.slice(from + deleted);
  at.length = at.words.length;
}

/**
 * Replays a recorded session of one person as an editor would write it. Each line is a paragraph,
 * Enter splits a paragraph and Backspace joins two.
 */
export function blogSession(trace: Trace): TraceEdit[] {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = traceClients[0] ?? 0;
  const root = doc.getXmlFragment("default");
  const textblocks: Textblock[] = [];
  const edits: TraceEdit[] = [];
  let time = Date.parse(trace.txns[0]?.time ?? "");
  doc.on("update", (update: Uint8Array) => edits.push({ agent: 0, time, update }));
  const add = (at: number, words: string) => {
    const made = textblock(words);
    root.insert(at, [made.element]);
    textblocks.splice(at, 0, made);
  };
  const find = (position: number): [index: number, offset: number] => {
    let rest = position;
    for (const [index, { length }] of textblocks.entries()) {
      if (rest <= length) return [index, rest];
      rest -= length + 1;
    }
    throw new Error("A patch lies outside the text.");
  };
  doc.transact(() => add(0, ""));
  for (const txn of trace.txns) {
    time = Math.max(time, Date.parse(txn.time ?? "") || time);
    doc.transact(() => {
      for (const [position, deleted, inserted] of txn.patches) {
        const [from, start] = find(position);
        const [to, end] = find(position + deleted);
        const [first, last] = [textblocks[from], textblocks[to]];
        if (!first || !last) throw new Error("A patch lies outside the text.");
        const pieces = inserted.split("\n");
        if (from === to && pieces.length === 1) {
          change(first, start, deleted, inserted);
          continue;
        }
        const rest = last.words.slice(end);
        change(
          first,
          start,
          first.length - start,
          pieces.length === 1 ? (pieces[0] ?? "") + rest : (pieces[0] ?? ""),
        );
        for (const [index, words] of pieces.slice(1).entries())
          add(from + 1 + index, index === pieces.length - 2 ? words + rest : words);
        if (to > from) {
          root.delete(from + pieces.length, to - from);
          textblocks.splice(from + pieces.length, to - from);
        }
      }
    });
  }
  const text = textblocks.map(({ words }) => words).join("\n");
  if (text !== trace.endContent) throw new Error("The session does not end in the recorded text.");
  return edits;
}
