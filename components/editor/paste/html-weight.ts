/**
 * The maximum HTML structure of a paste. The time of a paste, and of each key after it, grows with
 * these numbers.
 */
export const htmlLimits = { elements: 20_000, cells: 3_000, levels: 25, attributes: 500 };

type Excess = keyof typeof htmlLimits;

const names: Record<Excess, string> = {
  elements: "elements",
  cells: "table cells",
  levels: "levels of lists, quotes and tables",
  attributes: "attributes in one tag",
};

const tag = /<(\/?)([a-z][^\s<>/]*)/gi;
const nested = new Set(["blockquote", "ol", "table", "ul"]);
/** A shorter tag cannot exceed the limit, because each attribute has at least two characters. */
const leastLength = 2 * htmlLimits.attributes;

function hasManyAttributes(html: string, from: number, to: number): boolean {
  if (to - from < leastLength) return false;
  const [words = ""] = html.slice(from, to).split(">", 1);
  const bare = words.replace(/"[^"]*"|'[^']*'/g, "").trim();
  return bare.split(/[\s/]+/).length - 1 > htmlLimits.attributes;
}

/**
 * Returns the limit that some HTML exceeds, in one pass without a tree. Tags in comments and in
 * quoted values count too, so the weight is never underestimated.
 */
function excessOf(html: string): Excess | null {
  let [elements, cells, level] = [0, 0, 0];
  let before = html.length;
  for (const { index, 1: end, 2: written = "" } of html.matchAll(tag)) {
    // A browser compares each attribute of a tag with all others.
    if (hasManyAttributes(html, before, index)) return "attributes";
    before = index;
    const name = written.toLowerCase();
    if (nested.has(name)) level = Math.max(0, level + (end === "" ? 1 : -1));
    if (level > htmlLimits.levels) return "levels";
    if (end !== "") continue;
    if (name === "td" || name === "th") cells += 1;
    if (cells > htmlLimits.cells) return "cells";
    elements += 1;
    if (elements > htmlLimits.elements) return "elements";
  }
  return hasManyAttributes(html, before, html.length) ? "attributes" : null;
}

/** Returns the limit that some HTML exceeds, in words, or null if it exceeds none. */
export function excessIn(html: string): string | null {
  const excess = excessOf(html);
  return excess && `more than ${htmlLimits[excess].toLocaleString("en-US")} ${names[excess]}`;
}
