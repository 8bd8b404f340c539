import type { Change, Comparison, ChangeKind } from "@/events/analysis/comparison/comparison";
import type { Remarked } from "@/events/analysis/comparison/comparison-rows";
import type { Frame } from "@/events/analysis/comparison/revision-tokens";
import { numberWords } from "@/events/core/text/number-words";

const list = new Intl.ListFormat("en-GB");

/** Formats a count: "1 word", "34 words". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${numberWords(count)} ${count === 1 ? one : many}`;
}

const blocks: Record<string, string> = {
  paragraph: "a paragraph",
  codeBlock: "code",
  horizontalRule: "a line",
  image: "an image",
  file: "a file",
  blockquote: "a quotation",
  bulletList: "a list",
  orderedList: "a numbered list",
  taskList: "a list of things to do",
  table: "a table",
};

/** Describes a block: "a heading", "a paragraph in a numbered list". */
export function blockWords({ path, block }: Frame): string {
  const levels = ["a heading", "a smaller heading", "the smallest heading"];
  const own =
    block.name === "heading"
      ? (levels[Number(block.attrs.level) - 1] ?? "a heading")
      : (blocks[block.name] ?? "a block");
  const done = path.findLast(({ name }) => name === "taskItem")?.attrs.checked;
  const holder = path.findLast(({ name }) => name in blocks);
  const state = done === undefined ? "" : done === true ? ", done" : ", not done";
  return `${own}${holder ? ` in ${blocks[holder.name] ?? ""}` : ""}${state}`;
}

const marks: Record<string, string> = {
  bold: "bold",
  italic: "italic",
  underline: "underlined",
  strike: "struck through",
  code: "code",
  link: "a link",
};

/** Describes the changes of marks: "bold, no longer a link". */
export function markWords({ worn, shed }: Remarked): string {
  return markNames({ worn: worn.map(({ type }) => type), shed: shed.map(({ type }) => type) });
}

/** Describes the changes of marks, given only the mark types. */
export function markNames({
  worn,
  shed,
}: {
  worn: readonly string[];
  shed: readonly string[];
}): string {
  const name = (type: string) => marks[type] ?? type;
  return [
    ...worn.map(name),
    ...shed.filter((type) => !worn.includes(type)).map((type) => `no longer ${name(type)}`),
  ].join(", ");
}

/** The verb of each change kind, between a name and the words: "Ben added". */
export const revisionKindWords: Record<ChangeKind, string> = {
  added: "added",
  removed: "removed",
  replaced: "put",
  moved: "moved",
  marked: "changed the look of",
  retyped: "changed the form of",
  split: "began a new block",
  joined: "joined two blocks",
};

const longest = 120;

/** Shortens a quotation that is too long, at a space if possible. */
export function excerpt(text: string): string {
  const plain = text.replaceAll("¶", " ").replace(/\s+/g, " ").trim();
  return plain.length <= longest ? plain : `${plain.slice(0, longest).replace(/\s+\S*$/, "")}…`;
}

/** Describes a change to screen readers: "Ben put “one click away” for “hidden”". */
export function changeWords({ changeKind, out, in: came }: Change, names: string): string {
  const quoted = (text: string) => `“${excerpt(text)}”`;
  if (changeKind === "replaced") return `${names} put ${quoted(came)} for ${quoted(out)}`;
  if (changeKind === "split" || changeKind === "joined")
    return `${names} ${revisionKindWords[changeKind]}`;
  const text = came.trim() === "" ? out : came;
  return excerpt(text) === ""
    ? `${names} ${changeKind} an empty block`
    : `${names} ${revisionKindWords[changeKind]} ${quoted(text)}`;
}

/** Formats a list of names: "Ana and Ben". */
export function namesWords(names: readonly string[]): string {
  return list.format(names);
}

/** Capitalizes the first letter. */
export function startWords(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats the counts of changed words: "7 words added, 2 words removed". */
export function broughtWords({ words }: Pick<Comparison, "words">): string {
  if (words.in === 0 && words.out === 0) return "the same words, in another form or order";
  return [
    ...(words.in > 0 ? [`${counted(words.in, "word")} added`] : []),
    ...(words.out > 0 ? [`${counted(words.out, "word")} removed`] : []),
  ].join(", ");
}

/**
 * Describes the difference in one sentence: "41 changes by Ana and Ben: 120 words added, 34 words
 * removed, 2 passages moved."
 */
export function summaryWords(
  { changes, words, moves, title, icon }: Comparison,
  names: readonly string[],
): string {
  const above = [
    ...(title.before !== title.after ? ["title"] : []),
    ...(icon.before !== icon.after ? ["icon"] : []),
  ];
  if (changes.length === 0)
    return above.length > 0
      ? `The text is the same; only the ${above.join(" and the ")} changed.`
      : "Nothing differs between these two moments.";
  const facts = [
    ...(words.in > 0 || words.out > 0 ? [broughtWords({ words })] : []),
    ...(moves > 0 ? [`${counted(moves, "passage")} moved`] : []),
    ...above.map((what) => `another ${what}`),
  ];
  const what = facts.length > 0 ? `: ${facts.join(", ")}` : ", none of them to the words";
  return `${counted(changes.length, "change")} by ${namesWords(names)}${what}.`;
}
