import type { Node } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import { countWords } from "@/events/content/word-count";

/** A heading and the position before it. */
export type OutlineEntry = { at: number; level: number; words: string };

/** A heading with an id that is stable while the text in or around it changes. */
export type IdentifiedEntry = OutlineEntry & { id: number };

const longest = 120;
const counted = new WeakMap<Node, number>();

/** Counts the words of a block. The count is cached until the block's content changes. */
function wordsOf(block: Node): number {
  const known = counted.get(block);
  if (known !== undefined) return known;
  const words = countWords(block.textBetween(0, block.content.size, " ", " "));
  counted.set(block, words);
  return words;
}

/** Returns the headings of a text, with their levels. Empty headings are left out. */
export function headingsOf(doc: Node): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  doc.forEach((block, at) => {
    const words = block.type.name === "heading" ? block.textContent.trim() : "";
    if (words !== "")
      entries.push({ at, level: Number(block.attrs.level), words: words.slice(0, longest) });
  });
  const least = entries.reduce((lowest, { level }) => Math.min(lowest, level), Infinity);
  return entries.map((entry) => ({ ...entry, level: entry.level - least }));
}

const isLike = (one: OutlineEntry | undefined, other: OutlineEntry | undefined) =>
  one?.level === other?.level && one?.words === other?.words;

/**
 * Assigns the earlier ids to the headings. Equal headings at both ends keep theirs, and so do those
 * between them if their number is unchanged. All others get new ids.
 */
export function identified(
  before: readonly IdentifiedEntry[],
  entries: readonly OutlineEntry[],
): IdentifiedEntry[] {
  const fewer = Math.min(before.length, entries.length);
  const longer = before.length - entries.length;
  let first = 0;
  while (first < fewer && isLike(before[first], entries[first])) first += 1;
  let end = entries.length;
  while (end > first && end + longer > first && isLike(before[end + longer - 1], entries[end - 1]))
    end -= 1;
  let next = before.reduce((most, { id }) => Math.max(most, id), -1) + 1;
  return entries.map((entry, index) => {
    const same = index < first || longer === 0 ? before[index] : undefined;
    const known = index >= end ? before[index + longer] : same;
    return { ...entry, id: known?.id ?? next++ };
  });
}

/** Counts the words of the text and of the selection. `selected` is null without a selection. */
export function wordCounts({ doc, selection }: EditorState): {
  all: number;
  selected: number | null;
} {
  let all = 0;
  doc.forEach((block) => (all += wordsOf(block)));
  const isSelected = selection instanceof TextSelection && !selection.empty;
  return {
    all,
    selected: isSelected
      ? countWords(doc.textBetween(selection.from, selection.to, " ", " "))
      : null,
  };
}

const shown = (count: number) => count.toLocaleString("en-US");

/** Formats the word counts as a sentence. */
export function countSentence({ all, selected }: ReturnType<typeof wordCounts>): string {
  const words = all === 1 ? "1 word" : `${shown(all)} words`;
  return selected === null ? words : `${shown(selected)} of ${words}`;
}
