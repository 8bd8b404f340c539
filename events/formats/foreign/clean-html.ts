import type { Element } from "hast";
import { withBlocks } from "./blocks";
import { isLookOfPage, withCode } from "./code";
import { withMarks } from "./marks";
import { isOfNotion, withNames } from "./names";
import { withOwnStyles } from "./styles";
import { isSheet, withTables } from "./tables";
import { withTasks } from "./tasks";
import { found, has, htmlOf, isBlank, wordsIn } from "./tree";
import { seen } from "./unseen";
import { withListsOfWord } from "./word-lists";

/** Whether a page was copied from a ProseMirror editor, such as ours, which marks its slices. */
const isSlice = (page: Element) => found(page, (one) => has(one, "data-pm-slice")) !== null;

/**
 * Normalizes HTML copied from another program: keeps its structure as our blocks and marks, by the
 * names that our schema parses, and drops its look. Returns null for HTML that is parsed unchanged.
 */
export function cleanHtml(page: Element): string | null {
  if (isSlice(page)) return null;
  const sheet = isSheet(page);
  const named = withNames(withListsOfWord(withOwnStyles(page)));
  const shown = withTasks(seen(named));
  const looks = { byFont: !isLookOfPage(shown), byLine: isOfNotion(page) };
  const built = withTables(withCode(shown), sheet);
  const { children } = withBlocks(withMarks(built, looks));
  const html = children.map(htmlOf).join("");
  return html === "" && isBlank(wordsIn(page)) ? null : html;
}
