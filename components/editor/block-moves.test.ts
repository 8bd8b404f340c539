import { EditorState, TextSelection, type Transaction } from "@tiptap/pm/state";
import { describe, expect, it } from "vitest";
import { duplicateBlock, moveBlock, toggleTask } from "./block-moves";
import { documentSchema } from "@/events/content/schema";

const paragraph = (text: string) => ({ type: "paragraph", content: [{ type: "text", text }] });

function stateAt(content: object[], word: string): EditorState {
  const doc = documentSchema.nodeFromJSON({ type: "doc", content });
  let at = 0;
  doc.descendants((node, position) => {
    if (node.isText && node.text?.includes(word) === true) at = position + 1;
  });
  return EditorState.create({ doc, selection: TextSelection.create(doc, at) });
}

function blocks(transaction: Transaction | null): string[] {
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
    const moved = moveBlock(stateAt(list, "b2"), 1);
    expect(moved?.doc.textContent).toBe("a1c3b2");
    expect(moved?.doc.childCount).toBe(1);
  });

  it("[EDIT-7] duplicates a block below itself", () => {
    const copy = duplicateBlock(stateAt(three, "two"));
    expect(blocks(copy)).toEqual(["one", "two", "two", "three"]);
    expect(copy?.selection.$from.index(0)).toBe(2);
  });

  it("[EDIT-7] ticks the thing to do around the caret and nothing else", () => {
    const tasks = [
      { type: "taskList", content: [{ type: "taskItem", content: [paragraph("Ask Carol")] }] },
    ];
    expect(toggleTask(stateAt(tasks, "Carol"))?.doc.firstChild?.firstChild?.attrs.checked).toBe(
      true,
    );
    expect(toggleTask(stateAt(three, "two"))).toBeNull();
  });
});
