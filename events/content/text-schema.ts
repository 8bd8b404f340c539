import { isBlockName, isDocumentId } from "./document-address";
import { isAllowedAddress } from "./link-address";

type Allows = (value: unknown) => boolean;

/**
 * The content that a node may hold: names of child nodes, text (`plain` without marks), and
 * attributes with their allowed values.
 */
export type NodeRule = {
  children: ReadonlySet<string>;
  text: "none" | "plain" | "marked";
  attributes: ReadonlyMap<string, Allows>;
};

/**
 * A text schema as plain data: the names allowed at its root, its nodes, and its marks with their
 * allowed values.
 */
export type TextSchema = {
  root: ReadonlySet<string>;
  nodes: ReadonlyMap<string, NodeRule>;
  marks: ReadonlyMap<string, Allows>;
};

/** The deepest nesting of nodes, text included. */
export const deepestText = 64;
/** The ranges of numeric attributes, for validation here, and for parsing and rendering. */
export const bounds = {
  level: [1, 6],
  span: [1, 64],
  start: [1, 1_000_000],
  pixels: [1, 65_535],
  scale: [10, 100],
  bytes: [1, 26_214_400],
} as const;
export const longestLanguage = 32;
/** The most characters of an image's descriptions and of a file's name. */
const longestFileWords = { alt: 1_000, caption: 1_000, name: 255 } as const;

/**
 * Returns an integer between `low` and `high` unchanged, and `low` for any other value. Attributes
 * pass through it when they are rendered.
 */
export function within(value: unknown, [low, high]: readonly [low: number, high: number]): number {
  return isBetween(value, low, high) ? value : low;
}

function isBetween(value: unknown, low: number, high: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= low && value <= high;
}

const between =
  ([low, high]: readonly [low: number, high: number]): Allows =>
  (value) =>
    isBetween(value, low, high);
const isEmpty: Allows = (value) => value === null || value === undefined;
const isNothing: Allows = (value) =>
  value === true || (isRecord(value) && Object.keys(value).length === 0);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const isLanguage: Allows = (value) =>
  isEmpty(value) || (typeof value === "string" && value.length <= longestLanguage);

/** Attributes that other editors of the same text add to links. They are never rendered. */
const besidesAddress = new Set(["target", "rel", "class", "title"]);

function isLink(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { href, ...rest } = value;
  const isShort = (other: unknown) =>
    isEmpty(other) || (typeof other === "string" && other.length <= 256);
  return (
    Object.entries(rest).every(([key, other]) => besidesAddress.has(key) && isShort(other)) &&
    (isEmpty(href) || (typeof href === "string" && isAllowedAddress(href.trim())))
  );
}

const blocks = [
  "paragraph",
  "heading",
  "bulletList",
  "orderedList",
  "taskList",
  "blockquote",
  "codeBlock",
  "horizontalRule",
  "table",
];

function node(
  children: readonly string[],
  text: NodeRule["text"] = "none",
  attributes: Record<string, Allows> = {},
): NodeRule {
  return { children: new Set(children), text, attributes: new Map(Object.entries(attributes)) };
}

const cell = node(blocks, "none", {
  colspan: between(bounds.span),
  rowspan: between(bounds.span),
  colwidth: isEmpty,
});

const first: TextSchema = {
  root: new Set(blocks),
  nodes: new Map(
    Object.entries({
      paragraph: node(["hardBreak"], "marked"),
      heading: node(["hardBreak"], "marked", { level: between(bounds.level) }),
      bulletList: node(["listItem"]),
      // Any finite number is valid. It is clamped when rendered.
      orderedList: node(["listItem"], "none", { start: Number.isFinite }),
      listItem: node(blocks),
      taskList: node(["taskItem"]),
      taskItem: node(blocks, "none", { checked: (value) => typeof value === "boolean" }),
      blockquote: node(blocks),
      codeBlock: node([], "plain", { language: isLanguage }),
      horizontalRule: node([]),
      hardBreak: node([]),
      table: node(["tableRow"]),
      tableRow: node(["tableCell", "tableHeader"]),
      tableCell: cell,
      tableHeader: cell,
    }),
  ),
  marks: new Map<string, Allows>(
    Object.entries({
      bold: isNothing,
      italic: isNothing,
      underline: isNothing,
      strike: isNothing,
      code: isNothing,
      link: isLink,
    }),
  ),
};

/** Returns the schema with one more node, allowed in the given parents (`null` is the root). */
function withNode(
  { root, nodes, marks }: TextSchema,
  name: string,
  rule: NodeRule,
  parents: readonly (string | null)[],
): TextSchema {
  const grown = [...nodes].map(([parent, known]): [string, NodeRule] => [
    parent,
    parents.includes(parent) ? { ...known, children: new Set([...known.children, name]) } : known,
  ]);
  return {
    root: parents.includes(null) ? new Set([...root, name]) : root,
    nodes: new Map([...grown, [name, rule]]),
    marks,
  };
}

/**
 * Adds links to another document or to a block of it. A link stores ids alone, because the title
 * that readers see depends on their access (docs/decisions/0027).
 */
const second = withNode(
  first,
  "documentLink",
  node([], "none", {
    document: (value) => isEmpty(value) || isDocumentId(value),
    block: (value) => isEmpty(value) || isBlockName(value),
  }),
  ["paragraph", "heading"],
);

const maybe =
  (allows: Allows): Allows =>
  (value) =>
    isEmpty(value) || allows(value);
const wordsOf = (longest: number) =>
  maybe((value) => typeof value === "string" && value.length <= longest);
const oneOf = (...known: readonly string[]) =>
  maybe((value) => typeof value === "string" && known.includes(value));

const anywhere = [null, "listItem", "taskItem", "blockquote", "tableCell", "tableHeader"];

/** Adds images: their file and their layout. */
const withImages = withNode(
  second,
  "image",
  node([], "none", {
    file: maybe(isDocumentId),
    alt: wordsOf(longestFileWords.alt),
    caption: wordsOf(longestFileWords.caption),
    width: maybe(between(bounds.pixels)),
    height: maybe(between(bounds.pixels)),
    scale: maybe(between(bounds.scale)),
    align: oneOf("left", "center", "right"),
  }),
  anywhere,
);

/** Adds files to download. */
const third = withNode(
  withImages,
  "file",
  node([], "none", {
    file: maybe(isDocumentId),
    name: wordsOf(longestFileWords.name),
    bytes: maybe(between(bounds.bytes)),
  }),
  anywhere,
);

/**
 * The content of each version of the document schema. The version is part of every event with an
 * update, and `private.text_schemas` in the database has a row for each version. A new node, mark
 * or attribute needs a new version. It also needs a higher `validationRule` and `segmentFormat`, so
 * that caches of a build that could not judge the content yet are rebuilt.
 */
export const textSchemas: ReadonlyMap<number, TextSchema> = new Map([
  [1, first],
  [2, second],
  [3, third],
]);

/** The newest schema version that this build knows. Events are written with this version. */
export const newestSchema = Math.max(...textSchemas.keys());
