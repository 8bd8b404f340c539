import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { BoundText, pair } from "../bound-text.fixture";
import { pasteInPieces } from "../paste/long-paste";
import { joinsStep } from "./own-undo";
import { documentSchema } from "@/events/content/schema";

type Tree = string | { name: string; children: Tree[] };

const block = (name: string, ...children: Tree[]): Tree => ({ name, children });
const paragraph = (words: string) => block("paragraph", words);
const made = (tree: Tree): Node =>
  typeof tree === "string"
    ? documentSchema.text(tree)
    : documentSchema.node(tree.name, null, tree.children.filter((child) => child !== "").map(made));

/** Returns the text after each further undo. */
function undone(text: BoundText, most = 30): string[] {
  const left: string[] = [];
  while (left.length < most && text.undo()) left.push(text.text);
  return left;
}

const alone = () => new BoundText(new Y.Doc());

test("[EDIT-20] undo goes by words, however fast they were typed", () => {
  const ana = alone();
  ana.type("Alpha beta, gamma. Don’t");
  expect(undone(ana)).toEqual(["Alpha beta, gamma. ", "Alpha beta, ", "Alpha ", ""]);
});

test("[EDIT-20] undo removes a long word by twenty letters, and a new line by itself", () => {
  const ana = alone();
  ana.type(`${"x".repeat(45)}\nnext`);
  expect(undone(ana)).toEqual([
    `${"x".repeat(45)}|`,
    "x".repeat(45),
    "x".repeat(40),
    "x".repeat(20),
    "",
  ]);
});

test("[EDIT-20] moving the caret begins another step", () => {
  const ana = alone();
  ana.type("abc");
  ana.caret(2);
  ana.caret(4);
  ana.type("def");
  expect(undone(ana)).toEqual(["abc", ""]);
});

test("[EDIT-20] letters deleted one by one come back by words, in either direction", () => {
  const ana = alone();
  ana.type("one two");
  for (let end = 8; end > 2; end -= 1) ana.deleted(end - 1, end);
  expect(ana.text).toBe("o");
  expect([ana.undo(), ana.text]).toEqual([true, "one"]);
  expect([ana.undo(), ana.text]).toEqual([true, "one two"]);
  for (let left = 4; left > 0; left -= 1) ana.deleted(1, 2);
  expect([ana.undo(), ana.text]).toEqual([true, "one two"]);
});

test("[EDIT-20] a paste is its own step, however many pieces it has", () => {
  const ana = alone();
  ana.type("a");
  ana.dispatch(ana.state.tr.insertText("pasted").setMeta("paste", true));
  ana.dispatch(joinsStep(ana.state.tr.insertText(" on").setMeta("paste", true)));
  ana.type("b");
  ana.dispatch(ana.state.tr.insertText("again").setMeta("paste", true));
  expect(undone(ana)).toEqual(["apasted onb", "apasted on", "a", ""]);
});

test("[EDIT-20] undo removes a paste too long for one update as a whole, and nothing else", () => {
  const ana = alone();
  ana.type("before");
  pasteInPieces(
    ana,
    Fragment.from(["a", "b"].map((letter) => made(paragraph(letter.repeat(70_000))))),
  );
  expect(ana.state.doc.content.size).toBeGreaterThan(140_000);
  expect(undone(ana)).toEqual(["before", ""]);
  while (ana.redo()) continue;
  expect(ana.state.doc.content.size).toBeGreaterThan(140_000);
});

test("[EDIT-20] a composition is one step, even while others write in its paragraph", () => {
  const { ana, ben } = pair();
  ana.type("x ");
  const compose = (from: number, to: number, words: string, id: number) =>
    ana.dispatch(ana.state.tr.insertText(words, from, to).setMeta("composition", id));
  compose(3, 3, "ni", 1);
  ben.type("BEN ", 1);
  compose(7, 9, "你 好", 1);
  compose(10, 10, "吗", 2);
  expect(undone(ana)).toEqual(["BEN x 你 好", "BEN x ", "BEN "]);
});

test("[EDIT-22] undo right after a conversion reverts only the conversion, and redo repeats it", () => {
  const rules: Plugin = new Plugin({ props: {}, ...{ isInputRules: true } });
  const ana = new BoundText(new Y.Doc(), [rules]);
  ana.type("see **b*");
  // Like the input rule for bold, whose last letter never enters the text.
  const convert = ana.state.tr.delete(8, 9).delete(5, 7);
  convert
    .addMark(5, 6, documentSchema.mark("bold"))
    .setMeta(rules, { transform: convert, from: 9, to: 9, text: "*" });
  ana.dispatch(convert);
  const bold = ana.state.doc.toJSON();
  expect([ana.text, ana.undo(), ana.text]).toEqual(["see b", true, "see **b**"]);
  expect(ana.state.selection.from).toBe(10);
  expect(ana.state.doc.rangeHasMark(0, 10, documentSchema.mark("bold").type)).toBe(false);
  expect([ana.redo(), ana.state.doc.toJSON()]).toEqual([true, bold]);
  expect(undone(ana).at(-1)).toBe("");
});

test("[EDIT-21] redo in a new document adds no paragraph", () => {
  const { ana, ben } = pair();
  ana.type("Alpha beta.");
  const written = ana.state.doc.toJSON();
  undone(ana);
  ana.caret(1);
  while (ana.redo()) continue;
  expect(ana.state.doc.toJSON()).toEqual(written);
  expect(ben.state.doc.toJSON()).toEqual(written);
});

test("[EDIT-21] undo puts the caret where the step began", () => {
  const ana = alone();
  ana.type("one two");
  ana.caret(1);
  ana.type("new ");
  ana.caret(9);
  expect([ana.undo(), ana.text, ana.state.selection.from]).toEqual([true, "one two", 1]);
});

test("[WRITE-30] undo in a shared paragraph removes only own words", () => {
  const { ana, ben } = pair();
  ana.type("one two");
  ben.type("BEN", ben.find("two") + 1);
  ana.type(" three", ana.state.doc.content.size - 1);
  expect(ana.text).toBe("one tBENwo three");
  expect(undone(ana)).toEqual(["one tBENwo ", "one BEN", "BEN"]);
  while (ana.redo()) continue;
  expect([ana.text, ben.text]).toEqual(["one tBENwo three", "one tBENwo three"]);
});

test("[WRITE-30] undo keeps another person’s replacement of an own word, however similar", () => {
  const { ana, ben, meet } = pair(false);
  ana.type("hello");
  meet();
  ben.deleted(1, 6);
  ben.type("help", 1);
  meet();
  ana.undo();
  expect(ana.text).toBe("help");
});

test.each<[string, (ben: BoundText) => void, string]>([
  ["split", (ben) => ben.dispatch(ben.state.tr.split(5)), "four| five |BEN"],
  [
    "made a heading",
    (ben) => ben.dispatch(ben.state.tr.setBlockType(1, 2, made(block("heading")).type)),
    "four five |BEN",
  ],
])(
  "[WRITE-30] undo removes own words in a line that another person has %s",
  (_name, change, left) => {
    const { ana, ben } = pair();
    ana.type("four five six");
    ben.dispatch(ben.state.tr.insert(ben.state.doc.content.size, made(paragraph("BEN"))));
    change(ben);
    ana.undo();
    expect(ana.text).toBe(left);
    expect(ben.text).toBe(left);
  },
);

test("[WRITE-30] undo joins a broken line again, with another person’s correction in it", () => {
  const { ana, ben } = pair();
  ana.type("one twoo");
  ana.caret(5);
  ana.type("\n");
  ben.deleted(ben.find("twoo") + 3, ben.find("twoo") + 4);
  expect([ana.undo(), ana.text]).toEqual([true, "one two"]);
});

test("[WRITE-32] undo steps survive binding to another document with much the same text", () => {
  const { ana, ben } = pair();
  ana.type("one two three");
  ben.type("BEN ", 1);
  ana.undo();
  const anew = new Y.Doc();
  const other = new BoundText(anew);
  // The text was made under other client ids, with an addition by Ben.
  other.type("BEN SAYS one two ");
  ana.rebind(anew);
  expect(ana.text).toBe("BEN SAYS one two ");
  expect([ana.redo(), ana.text]).toEqual([true, "BEN SAYS one two three"]);
  expect(undone(ana)).toEqual(["BEN SAYS one two ", "BEN SAYS one ", "BEN SAYS "]);
  expect(other.text).toBe("BEN SAYS ");
});

/**
 * Returns the result when Ana inserts something into an empty text, Ben writes in it, and Ana
 * undoes it.
 */
function leftOf(mine: Tree, bens: (ben: BoundText) => void): string {
  const { ana, ben } = pair();
  ana.dispatch(ana.state.tr.replaceWith(0, ana.state.doc.content.size, made(mine)));
  bens(ben);
  ana.undo();
  expect(ben.state.doc.toJSON()).toEqual(ana.state.doc.toJSON());
  return ana.doc.getXmlFragment("default").toString();
}

test.each<[string, Tree, string]>([
  ["heading", block("heading", "mine here"), '<heading level="1">BEN</heading>'],
  [
    "quotation",
    block("blockquote", paragraph("mine here"), paragraph("mine too")),
    "<blockquote><paragraph>BEN</paragraph></blockquote>",
  ],
  [
    "list",
    block(
      "bulletList",
      block("listItem", paragraph("mine")),
      block("listItem", paragraph("mine here")),
    ),
    "<bulletlist><listitem><paragraph>BEN</paragraph></listitem></bulletlist>",
  ],
])(
  "[WRITE-4] undoing an own %s keeps the block of another person’s words, and nothing else",
  (_name, mine, left) => {
    expect(leftOf(mine, (ben) => ben.type("BEN", ben.find("here")))).toBe(left);
  },
);

test("[WRITE-4] undoing an item keeps its line above another’s nested list", () => {
  const mine = block(
    "bulletList",
    block("listItem", paragraph("mine")),
    block("listItem", paragraph("mine here")),
  );
  const left = leftOf(mine, (ben) => {
    const list = made(block("bulletList", block("listItem", paragraph("BEN"))));
    ben.dispatch(ben.state.tr.insert(ben.find("here") + "here".length + 1, list));
  });
  expect(left).toBe(
    "<bulletlist><listitem><paragraph></paragraph><bulletlist><listitem>" +
      "<paragraph>BEN</paragraph></listitem></bulletlist></listitem></bulletlist>",
  );
});

test("[WRITE-4] undo removes a block that no other person wrote in", () => {
  for (const mine of [
    block("heading", "mine"),
    block(
      "taskList",
      block(
        "taskItem",
        paragraph("mine"),
        block("taskList", block("taskItem", paragraph("deeper"))),
      ),
    ),
  ]) {
    expect(leftOf(mine, () => undefined)).toBe("<paragraph></paragraph>");
  }
});
