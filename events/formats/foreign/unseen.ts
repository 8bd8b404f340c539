import type { Element } from "hast";
import { styleOf } from "./styles";
import { attribute, found, has, isElement, rewritten, textNode, without, wordsIn } from "./tree";
import type { Markup } from "./tree";

/** Elements that display media or controls and hold no words of the text. */
const tools = new Set(
  (
    "audio button canvas clipboard-copy embed head iframe link map meta noscript object script " +
    "select style svg template textarea title video xml"
  ).split(" "),
);
/** Classes of text for screen readers only, and of controls beside headings. */
const namesOfAside =
  "sr-only|visually-hidden|screen-reader-(?:text|only)|mw-editsection|mwe-math-mathml\\S*|zeroclipboard-container|EOP";
const aside = new RegExp(`(?:^|\\s)(?:${namesOfAside})(?:\\s|$)`);
/** Classes of Word's comments and of their references. */
const commentOfWord = /(?:^|\s)mso(?:commentreference|comanchor)(?:\s|$)/i;

function isUnseen(one: Element): boolean {
  if (tools.has(one.tagName) || has(one, "hidden")) return true;
  const names = attribute(one, "class");
  if (names !== "" && (aside.test(names) || commentOfWord.test(names))) return true;
  // Word marks proposed deletions this way; other programs strike out deleted words.
  if (one.tagName === "del" && attribute(one, "cite").startsWith("mailto:")) return true;
  if (!has(one, "style")) return false;
  const style = styleOf(one);
  return (
    style.get("display") === "none" ||
    style.get("mso-hide") === "all" ||
    style.has("mso-comment-reference") ||
    /^comment-list$/.test(style.get("mso-element") ?? "")
  );
}

/** Characters beside a heading that serve as a link to the heading. */
const signs = /^[\s#¶§🔗]*$/u;

/** Replaces a formula, which pages render twice, by its source. */
function formula(one: Element): Markup[] | null {
  if (!/(?:^|\s)katex(?:\s|$)/.test(attribute(one, "class"))) return null;
  const source = found(one, ({ tagName }) => tagName === "annotation");
  return source === null ? null : [textNode(wordsIn(source))];
}

/** Removes invisible content from a page, and content that is not part of its words. */
export function seen(page: Element): Element {
  const shown = without(page, (node) => isElement(node) && isUnseen(node));
  return rewritten(shown, (node, parent) => {
    if (!isElement(node)) return null;
    // Word draws this rule above its footnotes.
    if (node.tagName === "hr" && styleOf(parent).get("mso-element") === "footnote-list") return [];
    const isSign = /^h[1-6]$/.test(parent.tagName) && node.tagName === "a";
    if (isSign && signs.test(wordsIn(node))) return [];
    return formula(node);
  });
}
