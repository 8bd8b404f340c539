import { Mark } from "@tiptap/pm/model";
import type { DOMOutputSpec, NodeType } from "@tiptap/pm/model";
import { XmlElement, XmlText } from "yjs";
import type { XmlFragment } from "yjs";
import { escapedHtml } from "@/events/core/text/escaped-html";
import { layoutBreakClass, layoutBreaks, leaf, longestBlock } from "./layout-breaks";
import { documentSchema } from "./schema";

const deepest = 64;
/** The part of the letter budget that an element costs when only a beginning is rendered. */
const tagLetters = 16;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const childless = new Set(["br", "hr", "input", "col", "img"]);

/** Renders a ProseMirror output spec as HTML, with `content` in its hole. */
export function markup(spec: DOMOutputSpec, content: string): string {
  if (typeof spec === "string") return escapedHtml(spec);
  if (!Array.isArray(spec)) return content;
  const [tag, ...rest]: unknown[] = spec;
  if (typeof tag !== "string" || !/^[a-z][a-z0-9]*$/.test(tag)) return content;
  const [first] = rest;
  const attributes = isRecord(first) ? first : {};
  const children = isRecord(first) ? rest.slice(1) : rest;
  let open = `<${tag}`;
  for (const [name, value] of Object.entries(attributes)) {
    const plain = typeof value === "string" || typeof value === "number";
    if (plain && /^[a-z][a-z-]*$/.test(name) && !name.startsWith("on"))
      open += ` ${name}="${escapedHtml(String(value))}"`;
  }
  if (childless.has(tag)) return `${open}>`;
  const inside = children
    .map((child) => (child === 0 ? content : isSpec(child) ? markup(child, content) : ""))
    .join("");
  return `${open}>${inside}</${tag}>`;
}

function isSpec(value: unknown): value is DOMOutputSpec {
  return typeof value === "string" || Array.isArray(value);
}

function marksOf(attributes: unknown): readonly Mark[] {
  if (!isRecord(attributes)) return Mark.none;
  let marks: readonly Mark[] = Mark.none;
  for (const [name, value] of Object.entries(attributes)) {
    const type = documentSchema.marks[name.replace(/--[a-zA-Z0-9+/=]{8}$/, "")];
    if (type !== undefined && value !== null)
      marks = type.create(isRecord(value) ? value : null).addToSet(marks);
  }
  return marks;
}

function isSame(one: Mark | undefined, other: Mark | undefined): boolean {
  return one !== undefined && other !== undefined && one.eq(other);
}

type Open = { mark: Mark; html: string };

const layoutBreak = `<span class="${layoutBreakClass}" aria-hidden="true"></span>`;

type Run = { insert: string; marks: readonly Mark[] };

/** The number of letters that may still be rendered. Negative once the text had more. */
type LetterBudget = { left: number };

/** Returns as many runs of a text as the budget allows. */
function fitting(runs: readonly Run[], budget: LetterBudget): Run[] {
  return runs.flatMap((run) => {
    const insert = run.insert.slice(0, Math.max(0, budget.left));
    budget.left -= run.insert.length;
    return insert === "" ? [] : [{ ...run, insert }];
  });
}

function runsOf(text: XmlText): Run[] {
  const runs: { insert?: unknown; attributes?: unknown }[] = text.toDelta();
  return runs.flatMap(({ insert, attributes }) =>
    typeof insert === "string" ? [{ insert, marks: marksOf(attributes) }] : [],
  );
}

/** Splits a text's runs at the given offsets. Each null in the result is a break. */
function cutRuns(runs: readonly Run[], breaks: readonly number[]): (Run | null)[] {
  const ahead = [...breaks];
  let at = 0;
  return runs.flatMap(({ insert, marks }) => {
    const parts: (Run | null)[] = [];
    let from = 0;
    for (; ahead[0] !== undefined && ahead[0] <= at + insert.length; ahead.shift()) {
      parts.push({ insert: insert.slice(from, ahead[0] - at), marks }, null);
      from = ahead[0] - at;
    }
    at += insert.length;
    return from < insert.length ? [...parts, { insert: insert.slice(from), marks }] : parts;
  });
}

/**
 * Renders one text's runs. A mark stays open across neighbouring runs, as in ProseMirror, but
 * closes at a break.
 */
function textHtml(runs: readonly (Run | null)[]): string {
  const stack: Open[] = [];
  let html = "";
  const add = (piece: string) => {
    const top = stack.at(-1);
    if (top === undefined) html += piece;
    else top.html += piece;
  };
  const close = () => {
    const top = stack.pop();
    if (top !== undefined)
      add(markup(top.mark.type.spec.toDOM?.(top.mark, true) ?? ["span", 0], top.html));
  };
  for (const run of runs) {
    const marks = run?.marks ?? Mark.none;
    let shared = 0;
    while (shared < marks.length && isSame(stack[shared]?.mark, marks[shared])) shared += 1;
    while (stack.length > shared) close();
    for (const mark of marks.slice(shared)) stack.push({ mark, html: "" });
    add(run === null ? layoutBreak : escapedHtml(run.insert));
  }
  while (stack.length > 0) close();
  return html;
}

/** Returns the offsets of the layout breaks that the editor gives a text block. */
function breaksOf(element: XmlElement, code: boolean, budget: LetterBudget): number[] {
  const children = element.toArray();
  const length = children.reduce(
    (sum, child) => sum + (child instanceof XmlText ? child.length : 1),
    0,
  );
  if (length <= longestBlock) return [];
  const letters = children.map((child) =>
    child instanceof XmlText
      ? runsOf(child)
          .map(({ insert }) => insert)
          .join("")
      : leaf,
  );
  const text = letters.join("");
  return layoutBreaks(
    Math.min(text.length, Math.max(0, budget.left)),
    (from, to) => text.slice(from, to),
    code,
  );
}

function brokenHtml(element: XmlElement, breaks: readonly number[], way: Way): string {
  let [html, at] = ["", 0];
  for (const child of element.toArray()) {
    const begin = at;
    const within = (place: number) => place > begin && place <= at;
    if (child instanceof XmlText) {
      const runs = fitting(runsOf(child), way.budget);
      for (const { insert } of runs) at += insert.length;
      html += textHtml(
        cutRuns(
          runs,
          breaks.filter(within).map((place) => place - begin),
        ),
      );
    } else {
      at += 1;
      html += childHtml(child, way) + (breaks.some(within) ? layoutBreak : "");
    }
  }
  return html;
}

/**
 * The depth within the text, whether very long blocks get layout breaks, and the remaining budget.
 */
type Way = { depth: number; broken: boolean; budget: LetterBudget };

function attributesFor(type: NodeType, element: XmlElement): Record<string, unknown> {
  const given: Record<string, unknown> = element.getAttributes();
  return Object.fromEntries(
    Object.keys(type.spec.attrs ?? {}).flatMap((name) =>
      name in given ? [[name, given[name]]] : [],
    ),
  );
}

function elementHtml(element: XmlElement, { depth, broken, budget }: Way): string {
  budget.left -= tagLetters;
  const type = documentSchema.nodes[element.nodeName];
  const within = { depth: depth + 1, broken, budget };
  if (type === undefined || type.isText || type.spec.toDOM === undefined)
    return `<div>${childrenHtml(element, within)}</div>`;
  const breaks =
    broken && type.isTextblock ? breaksOf(element, type.spec.code === true, budget) : [];
  const content =
    breaks.length > 0 ? brokenHtml(element, breaks, within) : childrenHtml(element, within);
  const node = type.create(attributesFor(type, element));
  // `<br>` makes an empty paragraph as tall as a line, like the break that the editor inserts.
  return markup(type.spec.toDOM(node), content === "" && type.isTextblock ? "<br>" : content);
}

function childHtml(child: unknown, way: Way): string {
  if (way.depth > deepest || way.budget.left < 0) return "";
  if (child instanceof XmlText) return textHtml(fitting(runsOf(child), way.budget));
  return child instanceof XmlElement ? elementHtml(child, way) : "";
}

function childrenHtml(parent: XmlFragment, way: Way): string {
  return parent
    .toArray()
    .map((child) => childHtml(child, way))
    .join("");
}

/**
 * Renders a document's text as HTML without a browser: the same elements as the editor's, with all
 * text and attributes escaped. Unknown nodes are rendered by their text. Never throws on hostile
 * content.
 */
export function staticHtml(fragment: XmlFragment): string {
  return childrenHtml(fragment, { depth: 0, broken: false, budget: { left: Infinity } });
}

/** Renders a document's text with layout breaks in very long blocks, as the editor does. */
export function editorHtml(fragment: XmlFragment): string {
  return childrenHtml(fragment, { depth: 0, broken: true, budget: { left: Infinity } });
}

/** Renders about the first `letters` letters, and returns whether they are the whole text. */
export function beginningHtml(
  fragment: XmlFragment,
  letters: number,
): { html: string; whole: boolean } {
  const budget: LetterBudget = { left: letters };
  const html = childrenHtml(fragment, { depth: 0, broken: true, budget });
  return { html, whole: budget.left >= 0 };
}
