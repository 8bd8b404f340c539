import { updateYFragment, yXmlFragmentToProsemirrorJSON } from "@tiptap/y-tiptap";
import { expect, it } from "vitest";
import * as Y from "yjs";
import { documentSchema } from "@/events/content/schema";
import { whereIs } from "@/events/analysis/anchors/anchor";
import type { Anchor, AnchoredText, Where } from "@/events/analysis/anchors/anchor";
import { withoutSpace } from "@/events/core/plain-place";
import { AnchorMemory } from "@/events/analysis/anchors/anchor-memory";
import { anchorOutcomes } from "@/events/analysis/anchors/anchor-outcomes";
import { anchorOf, liveText } from "@/events/analysis/anchors/live-anchor";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { structAt } from "@/events/crdt/updates/struct-at";
import { threadsAt } from "@/machines/past-threads";
import { rewritingOf } from "@/events/analysis/rewriting";
import { pastText } from "@/events/analysis/anchors/past-anchor";

type Id = { client: number; clock: number };
type Random = (below: number) => number;

/** A small generator of our own, so that the seed determines everything. */
function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function textblocksOf(node: Y.XmlFragment): Y.XmlText[] {
  return node
    .toArray()
    .flatMap((child) =>
      child instanceof Y.XmlText
        ? [child]
        : child instanceof Y.XmlElement
          ? textblocksOf(child)
          : [],
    );
}

function paragraph(text: string, name = "paragraph"): Y.XmlElement {
  const element = new Y.XmlElement(name);
  element.insert(0, [new Y.XmlText(text)]);
  return element;
}

/** Every standing character of a document in order, with its Yjs id and position. */
function characters(
  root: Y.XmlFragment,
): (Id & { textblock: number; offset: number; letter: string })[] {
  return textblocksOf(root).flatMap((text, textblock) => {
    const found: (Id & { textblock: number; offset: number; letter: string })[] = [];
    for (let item = text._start; item; item = item.right) {
      if (item.deleted || !(item.content instanceof Y.ContentString)) continue;
      for (const [at, letter] of item.content.str.split("").entries())
        found.push({
          client: item.id.client,
          clock: item.id.clock + at,
          textblock,
          offset: found.length,
          letter,
        });
    }
    return found;
  });
}

const key = ({ client, clock }: Id) => `${client}:${clock}`;
const textOf = (root: Y.XmlFragment) =>
  characters(root)
    .map(({ letter }) => letter)
    .join("");

class Session {
  readonly updates: { update: Uint8Array; client: number }[] = [];
  readonly docs = [new Y.Doc(), new Y.Doc()];
  readonly undo: Y.UndoManager[];
  private readonly vocabulary: readonly string[] | null;
  readonly done = new Map<string, number>();
  private readonly pick: Random;
  private words = 0;

  /** With a vocabulary, all words come from it and no earlier text is restored. */
  constructor(pick: Random, vocabulary: readonly string[] | null = null) {
    this.pick = pick;
    this.vocabulary = vocabulary;
    this.docs.forEach((doc, index) => {
      doc.clientID = 101 + index;
      doc.on("update", (update: Uint8Array, origin: unknown) => {
        if (origin === "peer") return;
        this.updates.push({ update, client: doc.clientID });
        for (const other of this.docs) if (other !== doc) Y.applyUpdate(other, update, "peer");
      });
    });
    this.undo = this.docs.map(
      (doc) => new Y.UndoManager(doc.getXmlFragment("default"), { captureTimeout: 0 }),
    );
  }

  /** A few words that occur nowhere else, unless there is a vocabulary. */
  fresh(count: number): string {
    const { vocabulary } = this;
    return Array.from({ length: count }, () =>
      vocabulary
        ? vocabulary[this.pick(vocabulary.length)]
        : `w${(this.words += 1)}${"aeiou"[this.pick(5)]}`,
    ).join(" ");
  }

  root(index: number): Y.XmlFragment {
    return (this.docs[index] ?? this.docs[0] ?? new Y.Doc()).getXmlFragment("default");
  }

  /** Performs a random act and returns its description. */
  act(): string {
    const who = this.pick(2);
    const root = this.root(who);
    const textblocks = textblocksOf(root);
    const textblock = this.pick(Math.max(1, textblocks.length));
    const text = textblocks[textblock];
    const acts = [
      "type",
      "type",
      "delete",
      "delete",
      "split",
      "join",
      "drop",
      "heading",
      "undo",
      "undo",
      "undo",
      "redo",
      "bold",
      "restore",
      "retype",
    ] as const;
    const act = acts[this.pick(acts.length)] ?? "type";
    const before = this.updates.length;
    root.doc?.transact(() => {
      if (!text || root.length === 0) root.insert(0, [paragraph(this.fresh(6))]);
      else if (act === "type") text.insert(this.pick(text.length + 1), ` ${this.fresh(1)} `);
      else if (act === "delete" && text.length > 0) {
        const at = this.pick(text.length);
        text.delete(at, 1 + this.pick(Math.min(14, text.length - at)));
      } else if (act === "split") {
        const at = this.pick(text.length + 1);
        const tail = plainTextOf(text).slice(at);
        text.delete(at, text.length - at);
        root.insert(Math.min(root.length, textblock + 1), [paragraph(tail)]);
      } else if (act === "join" && textblock > 0 && textblocks.length === root.length) {
        const above = textblocks[textblock - 1];
        const words = plainTextOf(text);
        root.delete(textblock, 1);
        above?.insert(above.length, words);
      } else if (act === "drop" && root.length > 1) root.delete(this.pick(root.length), 1);
      else if (act === "heading" && textblocks.length === root.length) {
        const words = plainTextOf(text);
        root.delete(textblock, 1);
        root.insert(textblock, [paragraph(words, "heading")]);
      } else if (act === "bold" && text.length > 0)
        text.format(this.pick(text.length), 1, { bold: {} });
      else if (act === "retype" && text.length > 4) {
        const at = this.pick(text.length - 3);
        const words = plainTextOf(text).slice(at, at + 4);
        text.delete(at, 4);
        text.insert(at, words);
      }
    });
    if (act === "undo") this.undo[who]?.undo();
    if (act === "redo") this.undo[who]?.redo();
    if (act === "restore" && this.vocabulary === null) this.restore(who);
    if (this.updates.length > before) this.done.set(act, (this.done.get(act) ?? 0) + 1);
    return act;
  }

  private readonly pasts: unknown[] = [];

  /** Restores an earlier text, as restoring a revision does, or remembers the current one. */
  private restore(who: number): void {
    const root = this.root(who);
    const past = this.pasts[this.pick(this.pasts.length + 1)];
    if (past === undefined) this.pasts.push(yXmlFragmentToProsemirrorJSON(root));
    else
      root.doc?.transact(() =>
        updateYFragment(
          root.doc as Y.Doc,
          root,
          documentSchema.nodeFromJSON({ type: "doc", ...(past as object) }),
          { mapping: new Map(), isOMark: new Map() },
        ),
      );
  }
}

function plainTextOf(text: Y.XmlText): string {
  const runs: { insert: string }[] = text.toDelta();
  return runs.map(({ insert }) => insert).join("");
}

/** Adjacent words of the document, as an anchor and as characters. */
function chosen(
  root: Y.XmlFragment,
  pick: Random,
): { anchor: Anchor; own: Set<string>; others: Set<string> } | null {
  const all = characters(root);
  if (all.length < 20) return null;
  const first = all[pick(all.length - 8)];
  const last = first && all[Math.min(all.length - 1, all.indexOf(first) + 5 + pick(20))];
  if (!first || !last) return null;
  const anchor = anchorOf(
    liveText(root),
    first,
    { textblock: last.textblock, offset: last.offset + 1 },
    1_000,
  );
  if (!anchor || withoutSpace(anchor.quote).length < 4) return null;
  const words = all.slice(all.indexOf(first), all.indexOf(last) + 1);
  const isLetter = ({ letter }: { letter: string }) => letter.trim() !== "";
  const own = new Set(
    words.slice(words.findIndex(isLetter), words.findLastIndex(isLetter) + 1).map(key),
  );
  return { anchor, own, others: new Set(all.map(key).filter((id) => !own.has(id))) };
}

function inside(root: Y.XmlFragment, where: Where) {
  if (where.state === "gone") return [];
  const { from, to } = where;
  return characters(root).filter(
    ({ textblock, offset }) =>
      (textblock > from.textblock || (textblock === from.textblock && offset >= from.offset)) &&
      (textblock < to.textblock || (textblock === to.textblock && offset < to.offset)),
  );
}

const rowsOf = ({ updates }: Session) =>
  stream(
    "Minutes",
    updates.map(({ update, client }, index) => [
      { update, time: 1_000 * index, actorId: client === 101 ? "Ana" : "Ben" },
    ]),
  );

/** What a page knows that opened with this document and has not read the history. */
const openedWith = (session: Session) =>
  new AnchorMemory(Y.decodeStateVector(Y.encodeStateVector(session.root(0).doc ?? new Y.Doc())));

/**
 * The true identity of each character: an act that moves text rewrites the same characters under
 * other ids.
 */
class Identities {
  private readonly known = new Map<string, string>();
  private readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  of(character: Id): string {
    return this.known.get(key(character)) ?? key(character);
  }

  act(): void {
    const before = characters(this.session.root(0));
    const act = this.session.act();
    const after = characters(this.session.root(0));
    const [old, now] = [new Set(before.map(key)), new Set(after.map(key))];
    const gone = before.filter((each) => !now.has(key(each)));
    const come = after.filter((each) => !old.has(key(each)));
    if (["split", "join", "heading", "retype"].includes(act) && gone.length === come.length)
      come.forEach((each, index) => this.known.set(key(each), this.of(gone[index] ?? each)));
    if (act === "undo" || act === "redo")
      for (const doc of this.session.docs)
        for (const structs of doc.store.clients.values())
          for (const struct of structs) {
            const redone = struct instanceof Y.Item ? struct.redone : null;
            if (!redone) continue;
            const { client, clock } = struct.id;
            for (let at = 0; at < struct.length; at += 1) {
              const again = key({ client: redone.client, clock: redone.clock + at });
              if (!this.known.has(again))
                this.known.set(again, this.of({ client, clock: clock + at }));
            }
          }
  }
}

const seeds = Array.from({ length: 60 }, (_, index) => 7_000 + index);

it("[COMMENT-5] anchors keep to their words through random editing, and report when they are gone", () => {
  const states = new Map<string, number>();
  const done = new Map<string, number>();
  const count = (map: Map<string, number>, name: string, by = 1) =>
    map.set(name, (map.get(name) ?? 0) + by);
  for (const seed of seeds) {
    const pick = randomFrom(seed);
    const session = new Session(pick);
    session.root(0).insert(
      0,
      Array.from({ length: 4 }, () => paragraph(session.fresh(7))),
    );
    for (let step = 0; step < 10; step += 1) session.act();
    const picked = chosen(session.root(0), pick);
    if (!picked) continue;
    const { anchor, own, others } = picked;
    const opened = session.updates.length;
    const memory = openedWith(session);
    for (let step = 0; step < 40; step += 1) {
      session.act();
      const root = session.root(0);
      const where = whereIs(anchor, liveText(root, memory));
      expect({ seed, step, where: whereIs(anchor, liveText(session.root(1), memory)) }).toEqual({
        seed,
        step,
        where,
      });
      count(states, where.state);
      const all = characters(root);
      const covered = inside(root, where);
      const left = all.filter((each) => own.has(key(each)));
      const ids = [anchor.start, anchor.end].map(
        (place) => Y.decodeRelativePosition(Uint8Array.from(Buffer.from(place, "base64"))).item,
      );
      const ends = ids.map(
        (id) =>
          id !== null && structAt(root.doc ?? new Y.Doc(), id.client, id.clock)?.deleted === false,
      );
      const read = covered.map(({ letter }) => letter).join("");
      const again = withoutSpace(textOf(root)).includes(withoutSpace(anchor.quote));
      if (where.state === "found")
        expect({ seed, step, read: withoutSpace(read) }).toEqual({
          seed,
          step,
          read: withoutSpace(anchor.quote),
        });
      if (where.state === "gone") {
        // Gone means that neither end stands, and that the text reads the same nowhere else.
        expect({ seed, step, ends, again }).toEqual({
          seed,
          step,
          ends: [false, false],
          again: false,
        });
      }
      if (ends.every(Boolean)) {
        expect({ seed, step, state: where.state, first: covered[0] && key(covered[0]) }).toEqual({
          seed,
          step,
          state: "standing",
          first: key(left[0] ?? { client: 0, clock: 0 }),
        });
        expect({
          seed,
          step,
          left: left.every((each) => covered.some((one) => key(one) === key(each))),
        }).toEqual({ seed, step, left: true });
      }
      if (where.state === "standing") {
        expect({ seed, step, strangers: covered.filter((each) => others.has(key(each))) }).toEqual({
          seed,
          step,
          strangers: [],
        });
        count(states, left.length === own.size ? "whole" : "in part");
      }
    }
    // The same edits as a history: at its end the anchor is where it is in the live document.
    const rows = rowsOf(session);
    const at = rows.length + 1;
    const threadRows = [
      row(
        {
          version: at,
          actorId: "Ben",
          type: "thread.opened",
          toPhase: "open",
          subject: { kind: "thread", id: "t" },
          body: { ...anchor },
        },
        1_000 * at,
      ),
      row(
        {
          version: at + 1,
          actorId: "Ben",
          type: "comment.added",
          toPhase: "shown",
          subject: { kind: "comment", id: "c" },
          body: { thread: "t", text: "Why?" },
        },
        1_000 * at,
      ),
    ];
    const timeline = openTimeline([...rows, ...threadRows]);
    const [past] = threadsAt(timeline, timeline.length - 1);
    // The page asks the history about words that are no longer in place.
    const { answers, known } = anchorOutcomes(timeline, rewritingOf(timeline), [anchor]);
    memory.learn(answers, known);
    const live = whereIs(anchor, liveText(session.root(0), memory));
    const wordsOf = (where: Where, { letters }: Pick<AnchoredText, "letters">) =>
      where.state === "gone" ? null : withoutSpace(letters.between(where.from, where.to));
    const liveWords = wordsOf(live, liveText(session.root(0)));
    const pastWords =
      past && wordsOf(past.where, pastText(timeline, rewritingOf(timeline), timeline.length - 1));
    expect({ seed, words: liveWords }).toEqual({ seed, words: pastWords });
    // When the thread was opened, it stood on its words.
    const first = pastText(timeline, rewritingOf(timeline), opened);
    const then = whereIs(anchor, first);
    expect({ seed, state: then.state, words: wordsOf(then, first) }).toEqual({
      seed,
      state: "standing",
      words: withoutSpace(anchor.quote),
    });
    for (const [act, times] of session.done) count(done, act, times);
  }
  console.log(
    `seeds ${seeds[0]}–${seeds.at(-1)}: ` +
      `${JSON.stringify(Object.fromEntries(states))} ` +
      `${JSON.stringify(Object.fromEntries(done))}`,
  );
  for (const state of ["whole", "in part", "found", "gone"])
    expect(states.get(state) ?? 0).toBeGreaterThan(100);
  for (const act of [
    "type",
    "delete",
    "split",
    "join",
    "drop",
    "heading",
    "undo",
    "redo",
    "restore",
    "retype",
  ])
    expect(done.get(act) ?? 0).toBeGreaterThan(20);
});

it("[COMMENT-5] anchors never move to equal words that stood elsewhere, in texts of few words", () => {
  const states = new Map<string, number>();
  for (let seed = 9_000; seed < 9_040; seed += 1) {
    const pick = randomFrom(seed);
    const session = new Session(pick, ["London", "moved", "to", "London.", "we"]);
    const identities = new Identities(session);
    session.root(0).insert(
      0,
      Array.from({ length: 4 }, () => paragraph(session.fresh(7))),
    );
    for (let step = 0; step < 6; step += 1) identities.act();
    const picked = chosen(session.root(0), pick);
    if (!picked) continue;
    const { anchor, own, others } = picked;
    const truly = (ids: Set<string>) =>
      new Set(
        characters(session.root(0))
          .filter((each) => ids.has(key(each)))
          .map((each) => identities.of(each)),
      );
    const [mine, strange] = [truly(own), truly(others)];
    const memory = openedWith(session);
    for (let step = 0; step < 24; step += 1) {
      identities.act();
      if (step % 4 !== 3) continue;
      const timeline = openTimeline(rowsOf(session));
      const { answers, known } = anchorOutcomes(timeline, rewritingOf(timeline), [anchor]);
      memory.learn(answers, known);
      const root = session.root(0);
      const where = whereIs(anchor, liveText(root, memory));
      const covered = inside(root, where).filter(({ letter }) => letter.trim() !== "");
      // Other characters may have come between its own.
      const strangers = [covered[0], covered.at(-1)].filter(
        (each) => each && strange.has(identities.of(each)),
      );
      states.set(where.state, (states.get(where.state) ?? 0) + 1);
      const isLeft = characters(root).some(
        (each) => mine.has(identities.of(each)) && each.letter.trim() !== "",
      );
      expect({ seed, step, where, strangers }).toEqual({ seed, step, where, strangers: [] });
      expect({ seed, step, where, isLeft: isLeft || where.state !== "standing" }).toEqual({
        seed,
        step,
        where,
        isLeft: true,
      });
    }
  }
  for (const state of ["standing", "found", "gone"])
    expect(states.get(state) ?? 0).toBeGreaterThan(10);
});
