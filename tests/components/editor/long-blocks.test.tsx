import { expect, it } from "vitest";
import { cdp, commands } from "vitest/browser";
import { openText, read, text } from "../support/text";

const sentence = "The harbour board meets in the old customs house on Monday. ";
const long = Array.from({ length: 1_500 }, (_, number) => `§${number} ${sentence}`)
  .join("")
  .trimEnd();
const code = Array.from(
  { length: 1_000 },
  (_, number) => `const berth${number} = assign(${number}, 'starboard') // to be paid`,
).join("\n");

const kinds = [
  ["a paragraph", "p", long],
  ["a block of code", "pre", code],
] as const;

type Block = "p" | "pre";

/** Pastes without the system clipboard, which browser tests share. */
function paste(words: string): void {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", words);
  text
    .element()
    .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}

function blockOf(page: typeof text, block: Block): Element {
  const found = page.element().querySelector(block);
  if (found === null) throw new Error(`The text has no ${block}`);
  return found;
}

/** The letters of a block, as the page shows them to a reader. */
function letters(page: typeof text, block: Block): string {
  const copy = blockOf(page, block).cloneNode(true);
  if (copy instanceof Element) for (const caret of copy.querySelectorAll(".caret")) caret.remove();
  return copy.textContent ?? "";
}

/** The text behind a break of a block. */
function behindBreak(block: Block, number: number): Text {
  const element = blockOf(text, block);
  const place = element.querySelectorAll(".layout-break")[number];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (place && walker.nextNode()) {
    const { currentNode } = walker;
    const isBehind = place.compareDocumentPosition(currentNode) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (isBehind && currentNode instanceof Text) return currentNode;
  }
  throw new Error("The break has no text after it");
}

/** The number of letters in a block before a place in it. */
function lengthTo(block: Block, node: Text, offset: number): number {
  const before = document.createRange();
  before.setStart(blockOf(text, block), 0);
  before.setEnd(node, offset);
  return before.cloneContents().textContent?.length ?? 0;
}

function focusText(): void {
  const element = text.element();
  if (element instanceof HTMLElement) element.focus();
}

/** Puts the caret behind the break with this number; returns the number of letters before it. */
function caretAtBreak(block: Block, number: number, after = 0): number {
  focusText();
  const node = behindBreak(block, number);
  getSelection()?.collapse(node, after);
  node.parentElement?.scrollIntoView();
  return lengthTo(block, node, after);
}

/** Selects from behind the first break to behind the third; returns where in the block. */
function selectPieces(block: Block): [from: number, to: number] {
  focusText();
  const [start, end] = [behindBreak(block, 0), behindBreak(block, 2)];
  const within = ({ length }: Text) => Math.min(700, length);
  getSelection()?.setBaseAndExtent(start, within(start), end, within(end));
  return [lengthTo(block, start, within(start)), lengthTo(block, end, within(end))];
}

/** Shows a text of one long block. */
async function openBlock(block: Block, words: string): Promise<void> {
  await openText();
  if (block === "pre") {
    await commands.typeText("``` ");
    await expect.poll(() => text.element().querySelector("pre")).not.toBeNull();
  }
  paste(words);
  await expect.poll(() => letters(text, block)).toBe(words);
}

const insert = (words: string) => cdp().send("Input.insertText", { text: words });

it.each(kinds)(
  "[EDIT-51] typing, deleting, composing and cutting work at a break of %s",
  async (_what, block, words) => {
    await openBlock(block, words);
    let expected = words;
    const changed = async (from: number, to: number, put: string) => {
      expected = expected.slice(0, from) + put + expected.slice(to);
      await expect.poll(() => letters(text, block)).toBe(expected);
    };
    let at = caretAtBreak(block, 1);
    await commands.typeText("abc");
    await changed(at, at, "abc");
    at = caretAtBreak(block, 1);
    await commands.press("Backspace");
    await changed(at - 1, at, "");
    at = caretAtBreak(block, 1);
    await commands.press("Delete");
    await changed(at, at + 1, "");
    at = caretAtBreak(block, 1, 2);
    await commands.press("Backspace", 4);
    await changed(at - 4, at, "");
    at = caretAtBreak(block, 1);
    for (const composed of ["n", "ni", "nih"])
      await cdp().send("Input.imeSetComposition", {
        text: composed,
        selectionStart: composed.length,
        selectionEnd: composed.length,
      });
    await insert("你好");
    await changed(at, at, "你好");
    at = caretAtBreak(block, 0);
    await commands.press("Shift+ArrowRight", 3);
    await commands.typeText("x");
    await changed(at, at + 3, "x");
    await expect.poll(() => letters(read, block)).toBe(expected);
  },
);

it.each(kinds)(
  "[EDIT-51] a selection over many pieces of %s is typed over, composed over and cut whole",
  async (_what, block, words) => {
    await openBlock(block, words);
    let expected = words;
    const over = async (put: string, act: () => Promise<unknown>) => {
      const [from, to] = selectPieces(block);
      await act();
      expected = expected.slice(0, from) + put + expected.slice(to);
      await expect.poll(() => letters(text, block)).toBe(expected);
    };
    await over("y", () => commands.typeText("y"));
    await over("", () => commands.press("Backspace"));
    if (block === "p") await over("你好", () => insert("你好"));
    await expect.poll(() => letters(read, block)).toBe(expected);
  },
);
