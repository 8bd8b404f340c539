import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { asAt } from "@/events/revisions/selective/keeping";
import { selectiveRevert } from "@/events/revisions/selective-revert";
import { RecordedDocument } from "@/events/history/recorded-document";
import { forkOf } from "@/events/revisions/fork";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline, TimelineBuilder } from "@/events/history/timeline/timeline-builder";
import { encodeEdits } from "./payload";
import type { Edit } from "./payload";
import { redact } from "./redaction";
import { RepeatSearch } from "./repeat-search";
import type { Repeating } from "./repeat-search";
import { standInPlace } from "./tombstone-payload";

const start = Date.UTC(2026, 10, 14);
const fork = "00000000-0000-4000-8000-00000000000b";

/** Ana's document. Each change is an event, and each revert is another one. */
class World {
  rows: (TimelineRow & { redactedBy?: number })[] = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, start),
  ];
  readonly doc = new Y.Doc();
  readonly root = this.doc.getXmlFragment("default");
  readonly undo = new Y.UndoManager(this.root, { captureTimeout: 0 });
  private updates: Uint8Array[] = [];

  constructor() {
    this.doc.clientID = 7;
    this.doc.on(
      "update",
      (update: Uint8Array, origin: unknown) => origin !== "log" && this.updates.push(update),
    );
    this.doc.transact(() => this.root.insert(0, [this.block("paragraph", "")]));
    this.saved();
  }

  block(name: string, text: string): Y.XmlElement {
    const block = new Y.XmlElement(name);
    const textblock = new Y.XmlText();
    textblock.insert(0, text);
    block.insert(0, [textblock]);
    return block;
  }

  textblock(at = 0): Y.XmlText {
    const block = this.root.get(at);
    const textblock = block instanceof Y.XmlElement ? block.get(0) : null;
    if (!(textblock instanceof Y.XmlText)) throw new Error("there is no such line");
    return textblock;
  }

  /** Records the pending updates as one event and returns its version. */
  saved(): number {
    const edits = this.updates
      .splice(0)
      .map((update, at): Edit => ({ update, time: start + at * 16 }));
    return this.record({ update: encodeEdits(edits), clientIds: [7] });
  }

  record(fields: Partial<TimelineRow>): number {
    this.rows.push(
      row(
        { version: this.rows.length + 1, actorId: "Ana", ...fields },
        start + this.rows.length * 1000,
      ),
    );
    return this.rows.length;
  }

  type(text: string, at = this.textblock().length): number {
    for (const [place, letter] of [...text].entries()) this.textblock().insert(at + place, letter);
    return this.saved();
  }

  erase(from: number, length: number): number {
    this.textblock().delete(from, length);
    return this.saved();
  }

  takenBack(): number {
    this.undo.undo();
    return this.saved();
  }

  restore(version: number): number {
    const builder = new TimelineBuilder();
    for (const each of this.rows) builder.add(each);
    const revision = openTimeline(this.rows.slice(0, version)).length - 1;
    const update = selectiveRevert(new RecordedDocument(builder.finish()), {
      clientId: 1000 + this.rows.length,
      keepPredicate: asAt(revision),
    });
    if (!update) throw new Error("there was nothing to restore");
    Y.applyUpdate(this.doc, update, "log");
    return this.record({
      type: "document.reverted",
      body: { toVersion: version },
      update: encodeEdits([{ update, time: start }]),
      clientIds: [1000 + this.rows.length],
    });
  }

  search(version: number): Repeating[] {
    const own = this.rows[version - 1];
    if (!own) throw new Error("there is no such version");
    const search = new RepeatSearch(own);
    for (const each of this.rows) search.take(each);
    return search.results();
  }

  /**
   * Returns the versions that hold the words of a version, with the number of other letters and
   * whether the versions may be redacted without confirmation.
   */
  repeating(version: number): [number, number, boolean][] {
    return this.search(version).map(({ version, others, surely }) => [version, others, surely]);
  }
}

describe("[REDACT-12] the event that brought the file of an edit", () => {
  const file = "00000000-0000-4000-8000-0000000000f1";
  const other = "00000000-0000-4000-8000-0000000000f2";
  /** A document in which an image is inserted before its bytes are attached. */
  class Gallery extends World {
    inserted = this.insert(file);
    attached = this.attach(file, "A shelf.png");

    image(at: number): Y.XmlElement {
      const node = this.root.get(at);
      if (!(node instanceof Y.XmlElement)) throw new Error("there is no such block");
      return node;
    }

    insert(shown: string): number {
      this.doc.transact(() => {
        const image = new Y.XmlElement("image");
        image.setAttribute("file", shown);
        image.setAttribute("alt", "");
        this.root.insert(1, [image]);
      });
      return this.saved();
    }

    attach(id: string, name: string): number {
      const body = { sha256: "0".repeat(64), bytes: 9, name, type: "image/png" };
      return this.record({ type: "file.attached", subject: { kind: "file", id }, body });
    }

    remove(at: number): number {
      this.root.delete(at, 1);
      return this.saved();
    }

    files(version: number): [number, boolean, boolean | null][] {
      return this.search(version).map(({ version, surely, shown }) => [version, surely, shown]);
    }
  }

  it("is preselected with the edit, and that of another file is not found", () => {
    const gallery = new Gallery();
    gallery.attach(other, "Another shelf.png");
    expect(gallery.files(gallery.inserted)).toEqual([[gallery.attached, true, false]]);
    expect(gallery.search(gallery.inserted)[0]?.excerpt).toBe("A shelf.png");
  });

  it("is not preselected while another edit shows the same file", () => {
    const gallery = new Gallery();
    const copied = gallery.insert(file);
    const both = [gallery.inserted, copied].map((version) => gallery.files(version));
    expect(both).toEqual([[[gallery.attached, false, true]], [[gallery.attached, false, true]]]);
    gallery.remove(1);
    expect(gallery.files(gallery.inserted)).toEqual([[gallery.attached, true, false]]);
  });

  it("is not preselected while Undo has brought the image back", () => {
    const gallery = new Gallery();
    gallery.remove(1);
    const gone = gallery.files(gallery.inserted);
    gallery.takenBack();
    expect([gone, gallery.files(gallery.inserted)]).toEqual([
      [[gallery.attached, true, false]],
      [[gallery.attached, false, true]],
    ]);
  });

  it("is that of each file where one replaced the other, unless it was redacted", () => {
    const gallery = new Gallery();
    gallery.image(1).setAttribute("file", other);
    const replaced = gallery.saved();
    const attached = gallery.attach(other, "Two shelves.png");
    expect([gallery.files(gallery.inserted), gallery.files(replaced)]).toEqual([
      [[gallery.attached, true, false]],
      [[attached, true, false]],
    ]);
    const last = gallery.rows.at(-1);
    if (last) gallery.rows[attached - 1] = { ...last, redactedBy: 99 };
    expect(gallery.files(replaced)).toEqual([]);
  });

  it("is preselected once a redacted edit has deleted the other copy of its image", () => {
    const gallery = new Gallery();
    gallery.insert(file);
    const removed = gallery.remove(1);
    const row = gallery.rows[removed - 1];
    if (!row) throw new Error("there is no such version");
    const update = standInPlace(redact(row.update, start, new Set()));
    gallery.rows[removed - 1] = { ...row, update, redactedBy: 99 };
    expect(gallery.files(gallery.inserted)).toEqual([[gallery.attached, true, false]]);
  });

  it("comes with titles and other images that repeat the description of its image", () => {
    const gallery = new Gallery();
    gallery.image(1).setAttribute("alt", "Three shelves of the vault");
    const said = gallery.saved();
    const named = gallery.record({
      type: "document.renamed",
      body: { title: "Three shelves of the vault" },
    });
    gallery.insert(other);
    gallery.image(1).setAttribute("alt", "Three shelves of the vault, open");
    const again = gallery.saved();
    expect(gallery.repeating(said)).toEqual([
      [named, 0, true],
      [again, 5, true],
    ]);
  });
});

describe("[REDACT-9] events that repeat words of an edit", () => {
  it("include restored copies, alone or among other text", () => {
    const world = new World();
    const typed = world.type("hunter2");
    const more = world.type(" is nobody’s business");
    world.erase(0, 7);
    const alone = world.restore(more);
    world.erase(0, world.textblock().length);
    const all = world.restore(alone);
    expect(world.repeating(typed)).toEqual([
      [alone, 0, true],
      [all, 18, false],
    ]);
  });

  it("include the edit that a redacted copy came from", () => {
    const world = new World();
    const typed = world.type("hunter2");
    world.erase(0, 7);
    const copy = world.restore(typed);
    expect(world.repeating(copy)).toEqual([[typed, 0, true]]);
  });

  it("include a few letters that Undo brought back", () => {
    const world = new World();
    const typed = world.type("the code is 0000");
    world.erase(12, 4);
    const undone = world.takenBack();
    world.type(" 0000");
    expect(world.repeating(typed)).toEqual([[undone, 0, false]]);
  });

  it("include copies that Undo made of copies", () => {
    const world = new World();
    const typed = world.type("hunter2");
    const copies = [1, 2].map(() => {
      world.erase(0, 7);
      return world.takenBack();
    });
    expect(world.repeating(typed)).toEqual(copies.map((version) => [version, 0, true]));
  });

  it("include a split block, and a block that became a heading", () => {
    const world = new World();
    const typed = world.type("one secret, two secrets");
    world.doc.transact(() => {
      world.textblock().delete(16, 7);
      world.root.insert(1, [world.block("paragraph", "secrets")]);
    });
    const split = world.saved();
    world.doc.transact(() => {
      world.root.delete(0, 1);
      world.root.insert(0, [world.block("heading", "one secret, two")]);
    });
    const heading = world.saved();
    expect(world.repeating(typed).map(([version]) => version)).toEqual([split, heading]);
  });

  it("include copies of words whose typing slip was corrected at once", () => {
    const world = new World();
    for (const [at, letter] of [..."hunetr"].entries()) world.textblock().insert(at, letter);
    world.textblock().delete(3, 3);
    const typed = world.type("ter2");
    world.erase(0, 7);
    const copy = world.restore(typed);
    expect(world.repeating(typed)).toEqual([[copy, 0, true]]);
  });

  it("include both saves across which they were typed again, not preselected", () => {
    const world = new World();
    const typed = world.type("hunter2");
    const again = [world.type(", hun"), world.type("ter2 and more")];
    world.type(" of other text, and the hunt");
    expect(world.repeating(typed)).toEqual([
      [again[0], 1, false],
      [again[1], 7, false],
    ]);
  });

  it("include titles and quotes with the words, and no redacted event", () => {
    const world = new World();
    const typed = world.type("the launch code is 0000");
    const named = world.record({
      type: "document.renamed",
      body: { title: "Notes: the launch code is 0000" },
    });
    const thread = world.record({
      type: "thread.opened",
      body: { start: "", end: "", quote: "launch code" },
    });
    world.record({ type: "thread.opened", body: { start: "", end: "", quote: "something else" } });
    const passage = world.record({
      type: "document.reworked",
      body: { kind: "passage", quote: "launch codes of old" },
    });
    world.record({ type: "comment.added", body: { thread: "t", text: "a launch is near" } });
    const gone = world.record({ type: "thread.opened", body: { quote: "launch code" } });
    const last = world.rows.at(-1);
    if (last) world.rows[gone - 1] = { ...last, redactedBy: 99 };
    expect(world.repeating(typed)).toEqual([
      [thread, 0, true],
      [passage, 0, true],
      [named, 6, false],
    ]);
  });

  it("include the copies of words that a fork began with", () => {
    const world = new World();
    world.type("hunter2 and more");
    const [piece] = forkOf(world.rows, fork);
    const side = new World();
    side.rows = side.rows.slice(0, 1);
    const begun = side.record({
      type: "document.forked",
      body: { document: fork, version: world.rows.length },
      ...piece,
    });
    const emptied = new Y.Doc();
    Y.applyUpdate(emptied, openTimeline(side.rows).state());
    const updates: Uint8Array[] = [];
    emptied.on("update", (update: Uint8Array) => updates.push(update));
    emptied.getXmlFragment("default").delete(0, 1);
    side.record({ update: encodeEdits(updates.map((update) => ({ update, time: start }))) });
    const copy = side.restore(begun);
    expect(side.repeating(begun)).toEqual([[copy, 0, true]]);
  });

  it("exclude edits that only write in the same place, or share a few letters", () => {
    const world = new World();
    const typed = world.type("the launch code is 0000");
    world.type("beside", 4);
    world.type(" and launches");
    world.textblock().insert(4, "pasted ");
    world.saved();
    world.erase(0, 3);
    expect(world.repeating(typed)).toEqual([]);
  });

  it("state their author, their type and an excerpt from where the words begin", () => {
    const world = new World();
    const typed = world.type("the launch code is 0000");
    world.record({
      type: "document.renamed",
      actorId: "Ben",
      body: { title: "Notes: The  launch code is 0000" },
    });
    expect(
      world.search(typed).map(({ actorId, type, excerpt }) => [actorId, type, excerpt]),
    ).toEqual([["Ben", "document.renamed", "The  launch code is 0000"]]);
  });
});
