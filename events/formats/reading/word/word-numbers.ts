import type { Element as PageElement, ElementContent, Root } from "hast";
import { childOf, childrenOf, elementsOf, runOf, valueOf } from "./word-xml";

// Private use characters, which no text has. They carry an item's number through mammoth, which
// does not report numbers.
const [open, close] = ["\u{F8F02}", "\u{F8F03}"];
const mark = /\u{F8F02}(\d{1,9})\u{F8F03}/u;
const marks = new RegExp(mark.source, "gu");

type Level = { start: number; format: string; text: string };
type Place = { list: string; level: number };
const number = (words: string | null, other: number) => {
  const read = Number.parseInt(words ?? "", 10);
  return Number.isNaN(read) ? other : read;
};
const named = (one: Element | null, name: string) => one?.getAttribute(name) ?? "";

function levelsOf(abstract: Element): Map<number, Level> {
  const levels = childrenOf(abstract).filter(({ nodeName }) => nodeName === "w:lvl");
  return new Map(
    levels.map((level) => [
      number(named(level, "w:ilvl"), 0),
      {
        start: number(valueOf(childOf(level, "w:start")), 1),
        format: valueOf(childOf(level, "w:numFmt")) ?? "decimal",
        text: valueOf(childOf(level, "w:lvlText")) ?? "",
      },
    ]),
  );
}

/** Returns the list positions that paragraph styles define. */
function placesOfStyles(styles: Document | null): Map<string, Partial<Place>> {
  const found = new Map<string, { place: Partial<Place>; base: string }>();
  for (const style of styles ? elementsOf(styles) : []) {
    if (style.nodeName !== "w:style") continue;
    const place = placeIn(childOf(style, "w:pPr"));
    const base = valueOf(childOf(style, "w:basedOn")) ?? "";
    found.set(named(style, "w:styleId"), { place, base });
  }
  const whole = new Map<string, Partial<Place>>();
  for (const id of found.keys()) {
    let place: Partial<Place> = {};
    // A hostile file may declare that a style is based on itself.
    for (let [at, step] = [id, 0]; found.has(at) && step < 16; step += 1) {
      place = { ...found.get(at)?.place, ...place };
      at = found.get(at)?.base ?? "";
    }
    whole.set(id, place);
  }
  return whole;
}

function placeIn(properties: Element | null): Partial<Place> {
  const numbering = childOf(properties, "w:numPr");
  const list = valueOf(childOf(numbering, "w:numId"));
  const level = valueOf(childOf(numbering, "w:ilvl"));
  return {
    ...(list !== null && { list }),
    ...(level !== null && { level: number(level, 0) }),
  };
}

/**
 * Writes the number of each numbered item before its words, for `withNumbers`. A list continues
 * after other content between its items. `left` counts labels that are not plain numbers.
 */
export function markNumbers(
  text: Document,
  numbering: Document | null,
  styles: Document | null,
  left: (what: string) => void,
): void {
  if (numbering === null) return;
  const abstracts = new Map<string, Map<number, Level>>();
  const lists = new Map<string, { abstract: string; starts: Map<number, number> }>();
  for (const one of elementsOf(numbering)) {
    if (one.nodeName === "w:abstractNum")
      abstracts.set(named(one, "w:abstractNumId"), levelsOf(one));
    if (one.nodeName !== "w:num") continue;
    const overrides = childrenOf(one).flatMap((change): [number, number][] => {
      const start = valueOf(childOf(change, "w:startOverride"));
      return start === null ? [] : [[number(named(change, "w:ilvl"), 0), number(start, 1)]];
    });
    const abstract = valueOf(childOf(one, "w:abstractNumId")) ?? "";
    lists.set(named(one, "w:numId"), { abstract, starts: new Map(overrides) });
  }
  const ofStyles = placesOfStyles(styles);
  const counts = new Map<string, Map<number, number>>();
  for (const paragraph of elementsOf(text)) {
    if (paragraph.nodeName !== "w:p") continue;
    const properties = childOf(paragraph, "w:pPr");
    const style = valueOf(childOf(properties, "w:pStyle")) ?? "";
    const { list = "0", level = 0 } = { ...ofStyles.get(style), ...placeIn(properties) };
    const known = lists.get(list);
    const said = known && abstracts.get(known.abstract)?.get(level);
    if (!known || !said) continue;
    const count = counts.get(known.abstract) ?? new Map<number, number>();
    counts.set(known.abstract, count);
    const override = known.starts.get(level);
    // A list restarts its numbering only once.
    known.starts.delete(level);
    const value = override ?? (count.has(level) ? (count.get(level) ?? 0) + 1 : said.start);
    count.set(level, value);
    for (const deeper of count.keys()) if (deeper > level) count.delete(deeper);
    if (said.format === "bullet" || said.format === "none") continue;
    if (said.format !== "decimal" || !/^%\d[.)]?$/.test(said.text))
      left("labels of lists that are plain numbers now");
    const run = runOf(text, `${open}${Math.max(0, value)}${close}`);
    paragraph.insertBefore(run, properties ? properties.nextSibling : paragraph.firstChild);
  }
}

/** Moves the numbers from a converted page's words to its list items. */
export function withNumbers(page: Root): Root {
  let waiting: PageElement | null = null;
  const read = (nodes: readonly Root["children"][number][]): ElementContent[] =>
    nodes.flatMap((node): ElementContent[] => {
      if (node.type === "doctype") return [];
      if (node.type === "text") {
        const value = mark.exec(node.value)?.[1];
        if (waiting !== null && value !== undefined) waiting.properties.value = value;
        waiting = null;
        const rest = node.value.replace(marks, "");
        return rest === "" ? [] : [{ ...node, value: rest }];
      }
      if (node.type !== "element") return [node];
      const one = { ...node, properties: { ...node.properties } };
      if (one.tagName === "li") waiting = one;
      one.children = read(one.children);
      return [one];
    });
  return { ...page, children: read(page.children) };
}
