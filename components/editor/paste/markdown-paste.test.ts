import { getSchema } from "@tiptap/core";
import { EditorState } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { describe, expect, it } from "vitest";
import { readMarkdown } from "@/events/content/markdown-reading";
import { documentExtensions } from "@/events/content/schema";
import { pair } from "../bound-text.fixture";
import type { BoundText } from "../bound-text.fixture";
import { convert, mayBeMarkdown, pastePlain } from "./markdown-paste";

function paste(text: BoundText, markdown: string): void {
  convert(text, pastePlain(text, markdown), readMarkdown(markdown));
}
const names = ({ state }: BoundText) => state.doc.children.map(({ type }) => type.name);

describe("pasting Markdown", () => {
  it("[EDIT-33] makes blocks; one undo returns to the letters, a second to nothing", () => {
    const { ana, ben } = pair();
    paste(ana, "# Hours\n\nOpen **late**\n\n- one\n- two");
    expect(names(ana)).toEqual(["heading", "paragraph", "bulletList"]);
    expect(ben.text).toBe("Hours|Open late|one|two");
    ana.undo();
    expect(ben.text).toBe("# Hours|Open **late**|- one|- two");
    ana.undo();
    expect(ben.text).toBe("");
    ana.redo();
    ana.redo();
    expect(names(ben)).toEqual(["heading", "paragraph", "bulletList"]);
  });

  it("[EDIT-33] inserts words inline and blocks between, with the caret behind them", () => {
    const { ana } = pair();
    ana.type("ab");
    ana.caret(2);
    paste(ana, "**x**");
    expect(ana.text).toBe("axb");
    expect(ana.state.selection.from).toBe(3);
    paste(ana, "## h\n> q");
    expect(names(ana)).toEqual(["paragraph", "heading", "blockquote", "paragraph"]);
    expect(ana.text).toBe("ax|h|q|b");
    ana.type("!");
    expect(ana.text).toBe("ax|h|q!|b");
  });

  it("[EDIT-33] continues the list that it is pasted into", () => {
    const { ana } = pair();
    paste(ana, "- one\n- two");
    paste(ana, "- and three\n- four");
    expect(names(ana)).toEqual(["bulletList"]);
    expect(ana.text).toBe("one|twoand three|four");
  });

  it("[EDIT-33] [EDIT-6] inserts a long text in pieces, and undoes it in two steps", () => {
    const { ana, ben } = pair();
    const updates: number[] = [];
    ana.doc.on("update", (update: Uint8Array) => updates.push(update.length));
    paste(ana, `# Long\n\n${"Some *words* of it. ".repeat(50)}\n\n`.repeat(120));
    expect(names(ana).filter((name) => name === "heading")).toHaveLength(120);
    expect(Math.max(...updates)).toBeLessThan(300_000);
    expect(ben.text).toBe(ana.text);
    ana.undo();
    expect(names(ana)).not.toContain("heading");
    ana.undo();
    expect(ben.text).toBe("");
  });

  it("[EDIT-33] makes nodes of the target editor’s own schema", () => {
    const view = {
      state: EditorState.create({ schema: getSchema(documentExtensions) }),
      dispatch: (tr: Transaction) => void (view.state = view.state.apply(tr)),
    };
    convert(view, pastePlain(view, "# a\n- b"), readMarkdown("# a\n- b"));
    expect(view.state.doc.children.map(({ type }) => type.name)).toEqual(["heading", "bulletList"]);
    expect(view.state.doc.textContent).toBe("ab");
  });

  it("[EDIT-33] detects Markdown by its signs", () => {
    expect(["plain words", "a-b", "3 - 2", "(1) one"].map(mayBeMarkdown)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(
      ["# a", "- a", "1) a", "a `b`", "| a |", "~~~", "see https://a.example"].map(mayBeMarkdown),
    ).toEqual(Array(7).fill(true));
  });
});
