import {
  baseKeymap,
  chainCommands,
  deleteSelection,
  joinBackward,
  joinForward,
  lift,
  setBlockType,
  splitBlock,
  toggleMark,
  wrapIn,
} from "@tiptap/pm/commands";
import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "@tiptap/pm/schema-list";
import { AllSelection, TextSelection } from "@tiptap/pm/state";
import type { Command, Selection, Transaction } from "@tiptap/pm/state";
import { addRowAfter, deleteRow } from "@tiptap/pm/tables";
import type { BoundText } from "./bound-text.fixture";
import { documentSchema as schema } from "@/events/content/schema";

/** Creates a random number generator in [0, 1) that repeats for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = () => number;
const pick = <T>(random: Random, all: readonly T[]): T => {
  const one = all[Math.floor(random() * all.length)];
  if (one === undefined) throw new Error("The list is empty");
  return one;
};

const { nodes, marks } = schema;
const type = (name: string) => {
  const found = nodes[name];
  if (!found) throw new Error(`no ${name}`);
  return found;
};
const mark = (name: string) => {
  const found = marks[name];
  if (!found) throw new Error(`no ${name}`);
  return found;
};

const words = (random: Random, letters: string) =>
  Array.from({ length: 1 + Math.floor(random() * 6) }, () => pick(random, [...letters, " "])).join(
    "",
  );
const paragraph = (text: string): Node =>
  type("paragraph").create(null, text === "" ? [] : [schema.text(text)]);

function pasted(random: Random, letters: string): Slice {
  const randomParagraph = () => paragraph(words(random, letters));
  return pick(random, [
    () =>
      new Slice(
        Fragment.from(schema.text(words(random, letters), [mark("italic").create()])),
        0,
        0,
      ),
    () => new Slice(Fragment.from([randomParagraph(), randomParagraph()]), 1, 1),
    () =>
      new Slice(
        Fragment.from([
          type("bulletList").create(null, [
            type("listItem").create(null, [randomParagraph()]),
            type("listItem").create(null, [randomParagraph()]),
          ]),
        ]),
        0,
        0,
      ),
    () =>
      new Slice(
        Fragment.from(type("codeBlock").create(null, [schema.text(words(random, letters))])),
        0,
        0,
      ),
  ])();
}

function table(random: Random, letters: string): Node {
  const cell = () => type("tableCell").create(null, [paragraph(words(random, letters))]);
  return type("table").create(null, [
    type("tableRow").create(null, [cell(), cell()]),
    type("tableRow").create(null, [cell(), cell()]),
  ]);
}

/** Returns a random caret or range in the text. */
function somewhere(random: Random, doc: Node): Selection {
  const at = () => Math.floor(random() * (doc.content.size + 1));
  const one = at();
  const other = random() < 0.6 ? one : Math.min(doc.content.size, one + Math.floor(random() * 12));
  return TextSelection.between(doc.resolve(one), doc.resolve(random() < 0.03 ? at() : other));
}

const commands: Command[] = [
  splitBlock,
  chainCommands(deleteSelection, joinBackward),
  joinForward,
  baseKeymap.Enter ?? splitBlock,
  baseKeymap.Backspace ?? joinBackward,
  ...["bold", "italic", "code"].map((name) => toggleMark(mark(name))),
  toggleMark(mark("link"), { href: "https://example.com" }),
  ...[1, 2].map((level) => setBlockType(type("heading"), { level })),
  setBlockType(type("paragraph")),
  setBlockType(type("codeBlock")),
  wrapIn(type("blockquote")),
  lift,
  wrapInList(type("bulletList")),
  wrapInList(type("orderedList")),
  splitListItem(type("listItem")),
  liftListItem(type("listItem")),
  sinkListItem(type("listItem")),
  addRowAfter,
  deleteRow,
];

function isSound(doc: Node): boolean {
  try {
    doc.check();
    return true;
  } catch {
    return false;
  }
}

/** Makes a random edit with the writer's own letters. */
export function randomEdit(random: Random, text: BoundText, letters: string): void {
  // Edits that the page's table plugin would repair are skipped.
  const dispatch = (transaction: Transaction) => {
    if (isSound(transaction.doc)) text.dispatch(transaction);
  };
  if (random() < 0.6) dispatch(text.state.tr.setSelection(somewhere(random, text.state.doc)));
  const chance = random();
  if (chance < 0.4) text.type(words(random, letters));
  else if (chance < 0.5) dispatch(text.state.tr.deleteSelection());
  else if (chance < 0.6)
    dispatch(
      text.state.tr
        .replaceSelection(pasted(random, letters))
        .setMeta("paste", true)
        .setMeta("uiEvent", "paste"),
    );
  else if (chance < 0.63) dispatch(text.state.tr.replaceSelectionWith(table(random, letters)));
  else if (chance < 0.635)
    dispatch(text.state.tr.setSelection(new AllSelection(text.state.doc)).deleteSelection());
  else pick(random, commands)(text.state, dispatch);
}
