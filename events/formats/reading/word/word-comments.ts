import * as z from "zod/mini";
import { strFromU8, strToU8 } from "fflate";
import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import { longestComment } from "@/events/core/text/text-lengths";
import { firstCodePoints } from "@/events/core/text/code-points";
import { withoutSpace } from "@/events/core/plain-place";
import type { PlainPlace } from "@/events/core/plain-place";
import { storableText } from "@/events/core/text/storable-text";
import { emptyOrVisible } from "@/events/core/text/visible-text";

/** A comment of a Word file, as mammoth reports it. */
export type WordComment = { id: string; author: string | null; text: string };

/** The number of comments that an import may still add. */
export type ImportBudget = { comments: number };

/** Comments on a passage, the first with its replies, imported as another person's words. */
export type FoundThread = { place: PlainPlace; isResolved: boolean; comments: string[] };

/** The most levels of replies. Word allows no replies to replies; other programs may. */
const deepest = 32;

// Private use characters, which no text has. They survive the conversion of the file to a text and
// are then removed.
const markers = { begin: "\u{F8F00}", start: "s", end: "e", point: "p", close: "\u{F8F01}" };
const markPattern = /\u{F8F00}([sep])(\d{1,9})\u{F8F01}/gu;

const markOf = (kind: string, id: string) =>
  `<w:t xml:space="preserve">${markers.begin}${kind}${id}${markers.close}</w:t>`;

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? null;

const tagPattern = /<w:p(?:\s[^<>]*)?>|<\/w:p>|<w:comment(RangeStart|RangeEnd|Reference)\s[^<>]*>/g;
const kinds = new Map([
  ["RangeStart", markers.start],
  ["RangeEnd", markers.end],
  ["Reference", markers.point],
]);

/**
 * Inserts markers where a comment's words begin and end, and at its reference. Markers between
 * paragraphs are moved into the next paragraph.
 */
function withMarks(xml: string): string {
  let depth = 0;
  let waiting = "";
  return xml.replace(tagPattern, (tag, what?: string) => {
    if (what !== undefined) {
      const id = attribute(tag, "w:id") ?? "";
      if (!/^\d{1,9}$/.test(id)) return tag;
      const mark = markOf(kinds.get(what) ?? "", id);
      // A reference is inside a run; the other marks are between runs.
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

/** Returns the file's parts with markers around the words of its comments. */
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
const commentsOfReader = z.object({
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

/** Returns the comments of a file, as mammoth reads it. */
export function commentsIn(document: unknown): WordComment[] {
  const read = commentsOfReader.safeParse(document);
  if (!read.success) return [];
  return read.data.comments.map(({ commentId, authorName, body }) => ({
    id: commentId,
    author: authorName,
    text: wordsOf(body).trim(),
  }));
}

/** Returns a name without comment markers. */
export const titleWithoutMarks = (text: string) => text.replace(markPattern, "");

/** Reads which comment replies to which, and which are resolved, by comment id. */
function relationsIn(files: Readonly<Record<string, Uint8Array>>) {
  const text = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const idOf = new Map<string, string>();
  let id: string | null = null;
  // Other parts identify a comment by its last paragraph.
  let last: string | null = null;
  const note = () => {
    if (id !== null && last !== null) idOf.set(last, id);
    last = null;
  };
  for (const [tag] of text("word/comments.xml").matchAll(/<w:(?:comment|p)\s[^<>]*>/g))
    if (tag.startsWith("<w:p")) last = attribute(tag, "w14:paraId") ?? last;
    else {
      note();
      id = attribute(tag, "w:id");
    }
  note();
  const parents = new Map<string, string>();
  const resolved = new Set<string>();
  for (const [tag] of text("word/commentsExtended.xml").matchAll(/<w15:commentEx\s[^<>]*>/g)) {
    const of = idOf.get(attribute(tag, "w15:paraId") ?? "");
    const parent = idOf.get(attribute(tag, "w15:paraIdParent") ?? "");
    if (of === undefined) continue;
    if (parent !== undefined && parent !== of) parents.set(of, parent);
    if (attribute(tag, "w15:done") === "1") resolved.add(of);
  }
  return { parents, resolved };
}

type Mark = { from: number | null; to: number | null; block: PlainPlace | null };

/** Removes the markers from a text. Returns the text and the markers' positions. */
function takeOutMarks(marked: Node): { text: Node; marks: ReadonlyMap<string, Mark> } {
  const marks = new Map<string, Mark>();
  let points: Mark[] = [];
  let letters = 0;
  const count = (words: string) => (letters += withoutSpace(words).length);
  const note = (kind: string | undefined, id: string) => {
    const mark = marks.get(id) ?? { from: null, to: null, block: null };
    marks.set(id, mark);
    if (kind === markers.start) mark.from = letters;
    else if (kind === markers.end) mark.to = letters;
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
    // A comment at a single point refers to the block around that point.
    if (node.isTextblock) for (const mark of points) mark.block ??= { from: begins, to: letters };
    return node.copy(Fragment.from(content));
  };
  return { text: without(marked) ?? marked, marks };
}

function placeIn({ from, to, block }: Mark): PlainPlace | null {
  if (from !== null && to !== null && from < to) return { from, to };
  return block && block.from < block.to ? block : null;
}

/**
 * Removes the markers from a text read from a file, and finds each comment's words, its replies,
 * and whether it is resolved. `lost` counts comments whose words are not in the text, and comments
 * beyond the import's `budget`.
 */
export function placedComments(
  marked: Node,
  comments: readonly WordComment[],
  files: Readonly<Record<string, Uint8Array>>,
  budget: ImportBudget,
): { text: Node; threads: FoundThread[]; lost: number } {
  const { text, marks } = takeOutMarks(marked);
  const { parents, resolved } = relationsIn(files);
  const firstOf = (id: string) => {
    let first = id;
    // A hostile file may declare that replies answer each other.
    for (let step = 0; step < deepest; step += 1) first = parents.get(first) ?? first;
    return first;
  };
  const threads = new Map<string, FoundThread>();
  const before = budget.comments;
  for (const { id, author, text: words } of comments) {
    const commentText = firstCodePoints(
      storableText(author === null ? words : `${author}: ${words}`),
      longestComment,
    );
    const first = firstOf(id);
    const known = threads.get(first);
    const mark = marks.get(first) ?? marks.get(id);
    const place = known?.place ?? (mark ? placeIn(mark) : null);
    if (budget.comments === 0 || place === null) continue;
    if (words.trim() === "" || !emptyOrVisible.test(commentText)) continue;
    if (known) known.comments.push(commentText);
    else threads.set(first, { place, isResolved: resolved.has(first), comments: [commentText] });
    budget.comments -= 1;
  }
  const lost = comments.length - (before - budget.comments);
  return { text, threads: [...threads.values()], lost };
}
