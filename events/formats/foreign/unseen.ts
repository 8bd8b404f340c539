import type { Element } from "hast";
import { styleOf } from "./styles";
import {
  attribute,
  found,
  has,
  isElement,
  type Markup,
  rewritten,
  textNode,
  without,
  wordsIn,
} from "./tree";

/** What shows or does something and holds no words of the text. */
const tools = new Set(
  (
    "audio button canvas clipboard-copy embed head iframe link map meta noscript object script " +
    "select style svg template textarea title video xml"
  ).split(" "),
);
/** What pages say to screen readers alone, and beside headings. */
const namesOfAside =
  "sr-only|visually-hidden|screen-reader-(?:text|only)|mw-editsection|mwe-math-mathml\\S*|zeroclipboard-container|EOP";
const aside = new RegExp(`(?:^|\\s)(?:${namesOfAside})(?:\\s|$)`);
/** Where Word puts comments, and the mark that leads to one. */
const commentOfWord = /(?:^|\s)mso(?:commentreference|comanchor)(?:\s|$)/i;

function isUnseen(one: Element): boolean {
  if (tools.has(one.tagName) || has(one, "hidden")) return true;
  const names = attribute(one, "class");
  if (names !== "" && (aside.test(names) || commentOfWord.test(names))) return true;
  // Words that somebody proposed to delete, in Word; elsewhere they are struck out.
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

/** Signs beside a heading that lead to it. */
const signs = /^[\s#¶§🔗]*$/u;

/** A formula as pages set it, twice, is the words that it was written by. */
function formula(one: Element): Markup[] | null {
  if (!/(?:^|\s)katex(?:\s|$)/.test(attribute(one, "class"))) return null;
  const source = found(one, ({ tagName }) => tagName === "annotation");
  return source === null ? null : [textNode(wordsIn(source))];
}

/** A page without what its readers do not see, and what is none of its words. */
export function seen(page: Element): Element {
  const shown = without(page, (node) => isElement(node) && isUnseen(node));
  return rewritten(shown, (node, parent) => {
    if (!isElement(node)) return null;
    // The rule that Word draws above its notes.
    if (node.tagName === "hr" && styleOf(parent).get("mso-element") === "footnote-list") return [];
    const isSign = /^h[1-6]$/.test(parent.tagName) && node.tagName === "a";
    if (isSign && signs.test(wordsIn(node))) return [];
    return formula(node);
  });
}
