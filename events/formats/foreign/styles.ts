import type { Element } from "hast";
import { attribute, found, has, isElement, rewritten, wordsIn } from "./tree";

export type Style = ReadonlyMap<string, string>;

const none: Style = new Map();

function read(declarations: string): Style {
  const style = new Map<string, string>();
  for (const declaration of declarations.split(";")) {
    const at = declaration.indexOf(":");
    if (at < 0) continue;
    const name = declaration.slice(0, at).trim().toLowerCase();
    style.set(
      name,
      declaration
        .slice(at + 1)
        .trim()
        .toLowerCase(),
    );
  }
  return style;
}

/** Returns an element's own style, in lower case. */
export function styleOf(one: Element): Style {
  return has(one, "style") ? read(attribute(one, "style")) : none;
}

/** The longest rule that is read. Each use of a class reads its rule, so a long rule is hostile. */
const longestRule = 2_000;
/**
 * The most letters of rules that are copied to a page's elements, however often a class is used.
 */
const mostWritten = 8_000_000;

/** Returns the class rules of a page's style sheets. Other rules are not needed. */
function classesIn(page: Element): ReadonlyMap<string, string> {
  const sheets: string[] = [];
  found(page, (one) => {
    if (one.tagName === "style") sheets.push(wordsIn(one));
    return false;
  });
  const classes = new Map<string, string>();
  for (const rule of sheets.join("\n").split("}")) {
    const at = rule.lastIndexOf("{");
    if (at < 0 || rule.length - at > longestRule) continue;
    for (const selector of rule.slice(0, at).split(",")) {
      const [, name] = /^(?:\s|<!--)*([\w-]*\.[\w-]+)\s*$/.exec(selector) ?? [];
      if (name !== undefined) classes.set(name, rule.slice(at + 1));
    }
  }
  return classes;
}

/** Copies the style sheets' rules for an element's classes into its own style. */
export function withOwnStyles(page: Element): Element {
  const classes = classesIn(page);
  if (classes.size === 0) return page;
  let left = mostWritten;
  return rewritten(page, (child) => {
    if (!isElement(child)) return null;
    const names = new Set(attribute(child, "class").split(/\s+/));
    const rules = [...names]
      .flatMap((name) => [classes.get(`.${name}`), classes.get(`${child.tagName}.${name}`)])
      .filter((rule) => rule !== undefined);
    left -= rules.reduce((sum, rule) => sum + rule.length, 0);
    if (rules.length === 0 || left < 0) return null;
    const style = [...rules, attribute(child, "style")].join(";");
    return [{ ...child, properties: { ...child.properties, style } }];
  });
}

/** Returns the font size of a style in the style's own unit, or null without a size. */
export function sizeOf(style: Style): number | null {
  const sizeText = style.get("font-size") ?? style.get("font") ?? "";
  const [, size] = /(?:^|\s)(\d{1,4}(?:\.\d{1,4})?)(?:px|pt)/.exec(sizeText) ?? [];
  return size === undefined ? null : Number(size);
}

const familiesWithCode =
  "jetbrains|fira|sf|roboto|ubuntu|droid sans|dejavu sans|liberation|source code|ibm plex";
const fontsOfCode = new RegExp(
  `^(?:menlo|monaco|consolas|cascadia|(?:${familiesWithCode}) ?(?:mono|code|pro)|sfmono|source code|` +
    "fira code|inconsolata|hack|monospace|ui-monospace)",
);

/**
 * Whether a style's font is a code font. Null if the style names no font. Typewriter fonts are not
 * code fonts.
 */
export function isCodeFont(style: Style): boolean | null {
  const family = style.get("font-family") ?? /(?:px|pt)\s+(.*)$/.exec(style.get("font") ?? "")?.[1];
  if (family === undefined) return null;
  const names = family.split(",").map((name) => name.replace(/["']/g, "").trim());
  const [first = ""] = names;
  if (fontsOfCode.test(first)) return true;
  const isGeneric = names.includes("monospace");
  return isGeneric && (!first.startsWith("courier") || style.get("white-space") === "pre");
}
