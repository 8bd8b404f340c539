import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Node } from "@tiptap/pm/model";
import { describe, expect, it } from "vitest";
import {
  addBlockBelow,
  deleteBlock,
  duplicateBlock,
  moveBlock,
  moveBlocks,
  toggleTask,
} from "./block-moves";
import type { OthersWrite } from "./block-moves";
import { landed } from "./block-landing";
import { documentSchema } from "@/events/content/schema";
import { pair } from "../bound-text.fixture";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });

function stateAt(content: object[], word: string): EditorState {
  const doc = documentSchema.nodeFromJSON({ type: "doc", content });
  let at = 0;
  doc.descendants((node, position) => {
    if (node.isText && node.text?.includes(word) === true) at = position + 1;
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, at) });
}

function blocks(transaction: { doc: Node } | null): string[] {
  return transaction?.doc.content.content.map((node) => node.textContent) ?? [];
}

const three = [paragraph("one"), paragraph("two"), paragraph("three")];

describe("moving blocks by keyboard", () => {
  it("[EDIT-7] moves a paragraph up and down with the caret in it", () => {
    const up = moveBlock(stateAt(three, "two"), -1);
    expect(blocks(up)).toEqual(["two", "one", "three"]);
    expect(up?.selection.$from.parent.textContent).toBe("two");
    const down = moveBlock(stateAt(three, "two"), 1);
    expect(blocks(down)).toEqual(["one", "three", "two"]);
    expect(down?.selection.$from.parent.textContent).toBe("two");
  });

  it("[EDIT-7] stays at either end", () => {
    expect(moveBlock(stateAt(three, "one"), -1)).toBeNull();
    expect(moveBlock(stateAt(three, "three"), 1)).toBeNull();
  });

  it("[EDIT-7] moves a list item within its list", () => {
    const list = [
      {
        type: "bulletList",
        content: ["a1", "b2", "c3"].map((text) => ({
          type: "listItem",
          content: [paragraph(text)],
        })),
      },
    ];
    const down = moveBlock(stateAt(list, "b2"), 1);
    expect(down?.doc.textContent).toBe("a1c3b2");
    expect(down?.doc.childCount).toBe(1);
  });

  it("[EDIT-7] duplicates a block below itself", () => {
    const copy = duplicateBlock(stateAt(three, "two"));
    expect(blocks(copy)).toEqual(["one", "two", "two", "three"]);
    expect(copy?.selection.$from.index(0)).toBe(2);
  });

  it("[EDIT-7] ticks only the task around the caret", () => {
    const tasks = [
      { type: "taskList", content: [{ type: "taskItem", content: [paragraph("Ask Carol")] }] },
    ];
    expect(toggleTask(stateAt(tasks, "Carol"))?.doc.firstChild?.firstChild?.attrs.checked).toBe(
      true,
    );
    expect(toggleTask(stateAt(three, "two"))).toBeNull();
  });
});

describe("moving blocks while others write", () => {
  const inside = (at: number) => (from: number, to: number) => from < at && at < to;

  it("[EDIT-31] keeps text that others write in the block or in the blocks it passes", () => {
    for (const where of ["two", "three"]) {
      const { ana, ben, meet } = pair(false);
      ana.type("one\ntwo\nthree\nfour");
      meet();
      const begin = ana.find("two") - 1;
      ben.type("more ", ben.find(where) + 1);
      const others = inside(ana.find(where) + 1);
      const moved = moveBlocks(
        ana.state,
        { from: begin, to: begin + 5 },
        ana.find("four") - 1,
        others,
      );
      if (moved) ana.dispatch(moved);
      meet();
      const [two, three] = ["two", "three"].map((word) =>
        word === where ? `${word[0]}more ${word.slice(1)}` : word,
      );
      expect(ben.text, where).toBe(`one|${three}|${two}|four`);
      expect(ana.text).toBe(ben.text);
      ana.undo();
      meet();
      expect(ben.text).toBe(["one", two, three, "four"].join("|"));
    }
  });

  it("[EDIT-31] ignores the block’s own place, and moves it to either end", () => {
    const state = stateAt(three, "two");
    const range = { from: 5, to: 10 };
    const to = (target: number, others?: OthersWrite) => moveBlocks(state, range, target, others);
    expect([to(5), to(10)]).toEqual([null, null]);
    expect(blocks(to(0))).toEqual(["two", "one", "three"]);
    expect(blocks(to(state.doc.content.size))).toEqual(["one", "three", "two"]);
    const written = to(0, inside(2));
    expect(blocks(written)).toEqual(["two", "one", "three"]);
    expect(written?.selection.$from.parent.textContent).toBe("two");
  });
});

describe("landing elsewhere", () => {
  const nobody = () => false;
  const list = (...words: string[]) => ({
    type: "bulletList",
    content: words.map((each) => ({ type: "listItem", content: [paragraph(each)] })),
  });
  const content = [paragraph("one"), list("a", "b")];
  const names = (state: EditorState, from: number, target: number) => {
    const to = from + (state.doc.nodeAt(from)?.nodeSize ?? 0);
    const doc = landed(state, { from, to }, target, nobody)?.doc;
    doc?.check();
    return doc?.children.map(({ type, textContent }) => `${type.name} ${textContent}`);
  };

  it("[EDIT-31] takes an item out of its list, and removes an emptied list", () => {
    const state = stateAt(content, "a");
    expect(names(state, 6, 0)).toEqual(["bulletList a", "paragraph one", "bulletList b"]);
    const last = stateAt([paragraph("one"), list("a")], "a");
    expect(names(last, 6, 0)).toEqual(["bulletList a", "paragraph one"]);
  });

  it("[EDIT-31] moves an item between lists, and puts only items into a list", () => {
    const two = stateAt([list("a", "b"), paragraph("one"), list("c")], "a");
    expect(names(two, 1, two.doc.content.size - 1)).toEqual([
      "bulletList b",
      "paragraph one",
      "bulletList ca",
    ]);
    expect(names(stateAt(content, "one"), 0, 11)).toBeUndefined();
  });
});

describe("adding and deleting blocks", () => {
  it("[EDIT-30] adds a block below, of its list’s kind, but not below an empty line", () => {
    expect(blocks(addBlockBelow(stateAt(three, "two")))).toEqual(["one", "two", "", "three"]);
    const tasks = stateAt(
      [{ type: "taskList", content: [{ type: "taskItem", content: [paragraph("Ask Carol")] }] }],
      "Carol",
    );
    const added = addBlockBelow(tasks);
    expect(added?.doc.firstChild?.childCount).toBe(2);
    expect(added?.selection.$from.node(2).type.name).toBe("taskItem");
    const again = added && addBlockBelow(tasks.apply(added));
    expect(again?.doc.firstChild?.childCount).toBe(3);
    const doc = documentSchema.nodeFromJSON({ type: "doc", content: [{ type: "paragraph" }] });
    const empty = EditorState.create({ doc, selection: TextSelection.create(doc, 1) });
    expect(addBlockBelow(empty)?.docChanged).toBe(false);
  });

  it("[EDIT-30] deletes a block, a list with its last item, and leaves one empty line", () => {
    expect(blocks(deleteBlock(stateAt(three, "two")))).toEqual(["one", "three"]);
    expect(blocks(deleteBlock(stateAt([paragraph("alone")], "alone")))).toEqual([""]);
    const list = [
      paragraph("before"),
      { type: "bulletList", content: [{ type: "listItem", content: [paragraph("last")] }] },
    ];
    const gone = deleteBlock(stateAt(list, "last"));
    expect(gone?.doc.childCount).toBe(1);
  });
});
