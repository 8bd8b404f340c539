import { applyUpdate } from "yjs";
import type { Anchor } from "@/events/analysis/anchors/anchor";
import type { TypedEvent } from "@/events/core/event-types";
import type { Edit } from "@/events/crdt/payload/payload";
import {
  demoFirstTitle,
  demoGuide,
  demoGuideTitle,
  demoPages,
  demoScenes,
  type DemoPerson,
  type DemoScene,
  type DemoStep,
} from "./demo-script";
import { DemoWriter } from "./demo-writer";

/** One event of the demo: who appends it, when (milliseconds after the beginning), and the edits it carries. */
export type DemoEvent = TypedEvent & {
  who: DemoPerson;
  at: number;
  edits: Edit[];
  clientIds: number[];
  about?: DemoSubject;
};

/**
 * What an event of the demo is about where it is not the document: the keys stand for ids, which
 * belong to one document.
 */
export type DemoSubject = { kind: "thread" | "comment"; key: string; thread: string };

/** A document of the demo, ready to be appended event by event. */
export type DemoDocument = { key: string; title: string; events: DemoEvent[] };

type Appended = TypedEvent & { about?: DemoSubject };
type Act =
  | { after: number; run: (writer: DemoWriter) => void }
  | { after: number; append: Appended | ((writer: DemoWriter) => Appended[]) };

const people: DemoPerson[] = ["ana", "ben"];
const clientIds: Record<DemoPerson, number> = { ana: 310_519_417, ben: 2_718_281_828 };
const flushAfter = 900;
const origin = "heard";

/** A small repeatable source of chance between 0 and 1 (mulberry32): the demo is the same on every machine. */
function chance(seed: number): () => number {
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
  about: { kind: "thread", key: thread, thread },
});
const commentEvent = (thread: string, text: string): Appended => ({
  type: "comment.added",
  body: { thread, text },
  about: { kind: "comment", key: text, thread },
});

function actsOf(step: DemoStep, random: () => number): Act[] {
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
          append: (writer) => [
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
            about: { kind: "thread", key: step.thread, thread: step.thread },
          },
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

/**
 * Lets both write through the scenes, each seeing the other's words once they are appended, and
 * collects the events.
 */
class Stage {
  readonly events: DemoEvent[] = [];
  private now = 0;
  private readonly writers: Record<DemoPerson, DemoWriter> = {
    ana: new DemoWriter(clientIds.ana),
    ben: new DemoWriter(clientIds.ben),
  };
  private readonly waiting: Record<DemoPerson, Edit[]> = { ana: [], ben: [] };
  private readonly bound = new Set<DemoPerson>();

  constructor() {
    for (const who of people) {
      this.writers[who].doc.on("update", (update: Uint8Array, from: unknown) => {
        if (from !== origin) this.waiting[who].push({ update, time: this.now });
      });
    }
  }

  /** Opens the first block and lets the words be typed there. */
  begin(who: DemoPerson): void {
    this.writers[who].open("paragraph");
    this.flush(who);
  }

  play(scene: DemoScene, random: () => number): void {
    const queues = people.map((who) => ({
      who,
      at: this.now,
      acts: (scene[who] ?? []).flatMap((step) => actsOf(step, random)),
    }));
    for (;;) {
      const next = queues
        .filter(({ acts }) => acts.length > 0)
        .map((queue) => ({ queue, due: queue.at + (queue.acts[0]?.after ?? 0) }))
        .sort((one, other) => one.due - other.due)[0];
      const act = next?.queue.acts.shift();
      if (next === undefined || act === undefined) break;
      this.flushDue(next.due);
      next.queue.at = next.due;
      this.now = Math.round(next.due);
      if ("run" in act) act.run(this.writers[next.queue.who]);
      else this.append(next.queue.who, act.append);
    }
    for (const who of people) this.flush(who);
  }

  private append(who: DemoPerson, append: Appended | ((writer: DemoWriter) => Appended[])): void {
    for (const writer of people) this.flush(writer);
    const events = typeof append === "function" ? append(this.writers[who]) : [append];
    for (const event of events)
      this.events.push({ who, at: this.now, edits: [], clientIds: [], ...event });
  }

  private flushDue(now: number): void {
    const due = people
      .map((who) => ({ who, first: this.waiting[who][0]?.time ?? Infinity }))
      .filter(({ first }) => first + flushAfter <= now)
      .sort((one, other) => one.first - other.first);
    for (const { who } of due) this.flush(who);
  }

  private flush(who: DemoPerson): void {
    const edits = this.waiting[who];
    const [first] = edits;
    if (first === undefined) return;
    this.waiting[who] = [];
    const fresh = this.bound.has(who) ? [] : [clientIds[who]];
    this.bound.add(who);
    this.events.push({
      who,
      at: first.time,
      type: "document.edited",
      body: {},
      edits,
      clientIds: fresh,
    });
    for (const other of people)
      if (other !== who)
        for (const { update } of edits) applyUpdate(this.writers[other].doc, update, origin);
  }

  /** The text at the end, for tests. */
  get text(): string {
    return this.writers.ana.doc
      .getXmlFragment("default")
      .toString()
      .replace(/<[^>]*>/g, "\n");
  }
}

function documentOf(
  key: string,
  title: string,
  scenes: DemoScene[],
  seed: number,
): DemoDocument & { text: string } {
  const random = chance(seed);
  const stage = new Stage();
  const first = scenes.find((scene) => Object.keys(scene).length > 0);
  stage.begin(first?.ana === undefined ? "ben" : "ana");
  for (const scene of scenes) stage.play(scene, random);
  return { key, title, events: stage.events, text: stage.text };
}

/** The document Ana and Ben wrote together: the same events, to the byte, every time. */
export function demoSession(): DemoDocument & { text: string } {
  return documentOf("session", demoFirstTitle, demoScenes, 20_261_121);
}

/** The short guide beside it, written by Ana. */
export function demoGuideDocument(): DemoDocument & { text: string } {
  return documentOf("guide", demoGuideTitle, [{ ana: demoGuide }], 7);
}

/** The shorter pages of the workspace. */
export function demoOtherDocuments(): (DemoDocument & { text: string })[] {
  return demoPages.map(({ key, title, scenes }, index) =>
    documentOf(key, title, scenes, 100 + index),
  );
}
