import type { Anchor } from "@/events/analysis/anchors/anchor";
import type { TypedEvent } from "@/events/core/event-types";
import type { DemoStep } from "./demo-steps";
import type { DemoWriter } from "./demo-writer";

/**
 * The subject of a demo event that is not about the document. `key` stands for an id, because ids
 * are unique to one document.
 */
export type DemoSubject = { kind: "thread" | "comment" | "version"; key: string };

export type Appended = TypedEvent & { about?: DemoSubject };
/** `version` is the number of events in the document before the appended events. */
type Before = { writer: DemoWriter; version: number };
export type Act =
  | { after: number; run: (writer: DemoWriter) => void }
  | { after: number; append: Appended | ((before: Before) => Appended[]) };

/** Creates a seeded random source from 0 to 1 (mulberry32). Every machine plays the same demo. */
export function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function typed(words: string, random: () => number): Act[] {
  const keys = (text: string): Act[] =>
    [...text].map((letter) => ({
      after:
        74 +
        random() * 140 +
        (letter === " " ? random() * 70 : 0) +
        (/[.,:]/.test(letter) ? 180 + random() * 320 : 0),
      run: (writer) => writer.letter(letter),
    }));
  return words.split(/(\{[^|}]*\|[^}]*\})/).flatMap((part) => {
    const [, wrong, right] = /^\{([^|}]*)\|([^}]*)\}$/.exec(part) ?? [];
    if (wrong === undefined || right === undefined) return keys(part);
    const [first, ...rest] = erased(wrong.length, random);
    return [
      ...keys(wrong),
      ...(first === undefined ? [] : [{ ...first, after: 620 }]),
      ...rest,
      ...keys(right),
    ];
  });
}

function erased(count: number, random: () => number): Act[] {
  return Array.from({ length: count }, () => ({
    after: 60 + random() * 55,
    run: (writer) => writer.backspace(),
  }));
}

const writing = (text: string) => 4_000 + text.length * 110;
const opened = (thread: string, anchor: Anchor): Appended => ({
  type: "thread.opened",
  body: { ...anchor },
  about: { kind: "thread", key: thread },
});
const commentEvent = (thread: string, text: string): Appended => ({
  type: "comment.added",
  body: { thread, text },
  about: { kind: "comment", key: text },
});

/** Returns the acts of a script step, each with its delay in ms after the previous act. */
export function actsOf(step: DemoStep, random: () => number): Act[] {
  const look = () => 700 + random() * 900;
  switch (step.do) {
    case "type":
      return typed(step.words, random);
    case "erase":
      return erased(step.words.length, random);
    case "open":
      return [{ after: 380 + random() * 500, run: (writer) => writer.open(step.block) }];
    case "go":
      return [{ after: look(), run: (writer) => writer.goAfter(step.after) }];
    case "cut":
      return [{ after: look(), run: (writer) => writer.cut(step.words) }];
    case "mark":
      return [{ after: look(), run: (writer) => writer.mark(step.words, step.mark) }];
    case "wait":
      return [{ after: step.seconds * 1_000, run: () => undefined }];
    case "comment":
      return [
        {
          after: writing(step.text),
          append: ({ writer }) => [
            opened(step.thread, writer.anchor(step.words)),
            commentEvent(step.thread, step.text),
          ],
        },
      ];
    case "answer":
      return [{ after: writing(step.text), append: commentEvent(step.thread, step.text) }];
    case "resolve":
      return [
        {
          after: 2_000,
          append: {
            type: "thread.resolved",
            body: {},
            about: { kind: "thread", key: step.thread },
          },
        },
      ];
    case "name":
      return [
        {
          after: 3_000,
          append: ({ version }) => [
            {
              type: "version.named",
              body: { at: version, name: step.name },
              about: { kind: "version", key: step.name },
            },
          ],
        },
      ];
    case "rename":
      return [{ after: 2_500, append: { type: "document.renamed", body: { title: step.title } } }];
    case "trash":
      return [{ after: 900, append: { type: "document.trashed", body: {} } }];
    case "restore":
      return [{ after: 900, append: { type: "document.restored", body: {} } }];
  }
}
