import * as z from "zod/mini";
import { strFromU8, strToU8 } from "fflate";
import { Fragment, type Node } from "@tiptap/pm/model";
import { firstCodePoints } from "@/events/core/code-points";
import { emptyOrVisible } from "@/events/core/visible-text";

/** A comment of a Word file as it is told by the reader of such files. */
export type WordComment = { id: string; author: string | null; text: string };

/** Words of a text, told by how many letters that are no space stand before them and before what follows. */
export type WordsPlace = { from: number; to: number };

/** Comments on some words, the first and its answers, as somebody else's words are brought in. */
export type FoundThread = { place: WordsPlace; isResolved: boolean; comments: string[] };

/** As long as a comment may be. */
const longest = 10_000;
/** As many as come in with one file. */
const mostThreads = 1_000;

// Signs of a private use plane, which no text has: they go through whatever makes a text of the
// file's, and are taken out of it again.
const signs = { begin: "\u{F8F00}", start: "s", end: "e", point: "p", close: "\u{F8F01}" };
const markPattern = /\u{F8F00}([sep])(\d{1,9})\u{F8F01}/gu;

const markOf = (kind: string, id: string) =>
  `<w:t xml:space="preserve">${signs.begin}${kind}${id}${signs.close}</w:t>`;

const tagPattern =
  /<w:p(?:\s[^<>]*)?>|<\/w:p>|<w:comment(RangeStart|RangeEnd|Reference)\s[^<>]*?w:id="(\d{1,9})"[^<>]*>/g;
const kinds = new Map([
  ["RangeStart", signs.start],
  ["RangeEnd", signs.end],
  ["Reference", signs.point],
]);

/**
 * Puts signs where the words of a comment begin and end, and where it is referred to. What stands
 * between paragraphs goes into the next one.
 */
function withMarks(xml: string): string {
  let depth = 0;
  let waiting = "";
  return xml.replace(tagPattern, (tag, what?: string, id?: string) => {
    if (what !== undefined && id !== undefined) {
      const mark = markOf(kinds.get(what) ?? "", id);
      // A reference stands in a run, the others between runs.
      if (what === "Reference") return mark + tag;
      if (depth > 0) return `<w:r>${mark}</w:r>`;
      waiting += `<w:r>${mark}</w:r>`;
      return "";
    }
    if (tag === "</w:p>") depth = Math.max(0, depth - 1);
    else if (!tag.endsWith("/>")) {
      depth += 1;
      const runs = waiting;
      waiting = "";
      return tag + runs;
    }
    return tag;
  });
}

/** The file with the words of its comments marked. */
export function withMarkedComments(
  files: Readonly<Record<string, Uint8Array>>,
): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      /^word\/document\d*\.xml$/.test(name) ? strToU8(withMarks(strFromU8(bytes))) : bytes,
    ]),
  );
}

const element = z.looseObject({
  type: z.string(),
  value: z.optional(z.string()),
  children: z.optional(z.array(z.unknown())),
});
const told = z.object({
  comments: z.array(
    z.object({
      commentId: z.string(),
      authorName: z.nullable(z.string()),
      body: z.array(z.unknown()),
    }),
  ),
});

function wordsOf(content: readonly unknown[]): string {
  return content
    .map((each) => {
      const { type, value, children } = element.parse(each);
      if (type === "text") return value ?? "";
      if (type === "tab") return " ";
      if (type === "break") return "\n";
      const words = wordsOf(children ?? []);
      return type === "paragraph" ? `${words}\n` : words;
    })
    .join("");
}

/** The comments of a file, as mammoth reads it. */
export function commentsIn(document: unknown): WordComment[] {
  const read = told.safeParse(document);
  if (!read.success) return [];
  return read.data.comments.map(({ commentId, authorName, body }) => ({
    id: commentId,
    author: authorName,
    text: wordsOf(body).trim(),
  }));
}

/** A name without the signs that mark comments in it. */
export const withoutMarks = (text: string) => text.replace(markPattern, "");

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

/** What answers what, and what is resolved, by the ids of comments. */
function relationsIn(files: Readonly<Record<string, Uint8Array>>) {
  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const idOf = new Map<string, string>();
  for (const [all, inside = ""] of text("word/comments.xml").matchAll(
    /<w:comment\s[^<>]*>([^]*?)<\/w:comment>/g,
  )) {
    const id = attribute(all.slice(0, all.indexOf(">")), "w:id");
    // By its last paragraph a comment is known elsewhere.
    const last = [...inside.matchAll(/<w:p\s[^<>]*>/g)].at(-1)?.[0] ?? "";
    const paragraph = attribute(last, "w14:paraId");
    if (id !== null && paragraph !== null) idOf.set(paragraph, id);
  }
  const parents = new Map<string, string>();
  const resolved = new Set<string>();
  for (const [tag] of text("word/commentsExtended.xml").matchAll(/<w15:commentEx\s[^<>]*>/g)) {
    const id = idOf.get(attribute(tag, "w15:paraId") ?? "");
    const parent = idOf.get(attribute(tag, "w15:paraIdParent") ?? "");
    if (id === undefined) continue;
    if (parent !== undefined && parent !== id) parents.set(id, parent);
    if (attribute(tag, "w15:done") === "1") resolved.add(id);
  }
  return { parents, resolved };
}

type Mark = { from: number | null; to: number | null; block: WordsPlace | null };

/** The same text without its marks, and where they stood. */
function taken(marked: Node): { text: Node; marks: ReadonlyMap<string, Mark> } {
  const marks = new Map<string, Mark>();
  let points: Mark[] = [];
  let letters = 0;
  const count = (words: string) => (letters += words.replace(/\s+/g, "").length);
  const note = (kind: string | undefined, id: string) => {
    const mark = marks.get(id) ?? { from: null, to: null, block: null };
    marks.set(id, mark);
    if (kind === signs.start) mark.from = letters;
    else if (kind === signs.end) mark.to = letters;
    else points.push(mark);
  };
  const plainOf = (words: string): string => {
    let [plain, last] = ["", 0];
    for (const mark of words.matchAll(markPattern)) {
      plain += words.slice(last, mark.index);
      count(words.slice(last, mark.index));
      last = mark.index + mark[0].length;
      note(mark[1], mark[2] ?? "");
    }
    count(words.slice(last));
    return plain + words.slice(last);
  };
  const without = (node: Node): Node | null => {
    if (node.isText) {
      const plain = plainOf(node.text ?? "");
      return plain === "" ? null : node.type.schema.text(plain, node.marks);
    }
    if (node.isLeaf) return node;
    const begins = letters;
    points = [];
    const content = node.children.flatMap((child) => without(child) ?? []);
    // What was put at one point is about the block around it.
    if (node.isTextblock) for (const mark of points) mark.block ??= { from: begins, to: letters };
    return node.copy(Fragment.from(content));
  };
  return { text: without(marked) ?? marked, marks };
}

function placeIn({ from, to, block }: Mark): WordsPlace | null {
  if (from !== null && to !== null && from < to) return { from, to };
  return block && block.from < block.to ? block : null;
}

/**
 * Takes the marks out of a text that was read of a file, and finds for each comment its words, its
 * answers and whether it is resolved; `lost` are those whose words are not in the text.
 */
export function placedComments(
  marked: Node,
  comments: readonly WordComment[],
  files: Readonly<Record<string, Uint8Array>>,
): { text: Node; threads: FoundThread[]; lost: number } {
  const { text, marks } = taken(marked);
  const { parents, resolved } = relationsIn(files);
  const firstOf = (id: string) => {
    const seen = new Set<string>();
    let first = id;
    // Answers may be said to answer each other.
    for (let up = parents.get(first); up !== undefined && !seen.has(up); up = parents.get(first)) {
      seen.add(up);
      first = up;
    }
    return first;
  };
  const threads = new Map<string, FoundThread>();
  let lost = 0;
  for (const { id, author, text: words } of comments) {
    const said = firstCodePoints(author === null ? words : `${author}: ${words}`, longest);
    const first = firstOf(id);
    const known = threads.get(first);
    if (words.trim() === "" || !emptyOrVisible.test(said)) lost += 1;
    else if (known) known.comments.push(said);
    else {
      const mark = marks.get(first) ?? marks.get(id);
      const place = mark ? placeIn(mark) : null;
      if (place === null || threads.size >= mostThreads) lost += 1;
      else threads.set(first, { place, isResolved: resolved.has(first), comments: [said] });
    }
  }
  return { text, threads: [...threads.values()], lost };
}
