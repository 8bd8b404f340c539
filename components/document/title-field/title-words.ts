import { firstCodePoints } from "@/events/core/text/code-points";
import { loneSurrogates } from "@/events/core/text/storable-text";
import { longestTitle } from "@/events/core/text/text-lengths";
import { normalizedName } from "@/events/core/text/visible-text";

/** Normalizes words to a valid title. Lone surrogates become U+FFFD, as in the log. */
export function asTitle(words: string): string {
  const whole = words.replace(/\s+/gu, " ").replace(loneSurrogates, "\ufffd");
  return firstCodePoints(normalizedName(whole), longestTitle);
}

/** Returns the title that an element contains. */
export function written(element: HTMLElement): string {
  return asTitle(element.textContent ?? "");
}

/** Maps a caret at `offset` of `before` into `after`, by the equal text before or after it. */
export function movedCaret(before: string, after: string, offset: number): number {
  let start = 0;
  const shortest = Math.min(before.length, after.length);
  while (start < shortest && before[start] === after[start]) start += 1;
  if (offset <= start) return offset;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return Math.max(start, after.length - Math.min(end, before.length - offset));
}

/**
 * Sets the words of an element and keeps the caret beside the same letters. A trailing space is
 * kept, because the next word follows it.
 */
export function putWords(element: HTMLElement, title: string): void {
  const words = title !== "" && /\s$/u.test(element.textContent ?? "") ? `${title} ` : title;
  const selection = window.getSelection();
  const caret = selection?.isCollapsed && element.contains(selection.anchorNode) ? selection : null;
  let offset = 0;
  if (caret !== null && caret.anchorNode !== null) {
    const before = document.createRange();
    before.setStart(element, 0);
    before.setEnd(caret.anchorNode, caret.anchorOffset);
    offset = movedCaret(element.textContent ?? "", words, before.toString().length);
  }
  element.textContent = words;
  if (caret !== null) caret.collapse(element.firstChild ?? element, offset);
}
