/**
 * Returns the DOM position that the browser finds nearest to a viewport point, or null outside the
 * viewport.
 */
function placeNear(left: number, top: number): { node: Node; offset: number } | null {
  // Older Safari has only the deprecated name.
  if (typeof document.caretPositionFromPoint !== "function") {
    const range = document.caretRangeFromPoint(left, top);
    return range && { node: range.startContainer, offset: range.startOffset };
  }
  const place = document.caretPositionFromPoint(left, top);
  return place && { node: place.offsetNode, offset: place.offset };
}

/** Returns the box of the letter nearest to a point, or null without a letter. */
function letterNear(left: number, top: number): DOMRect | null {
  const place = placeNear(left, top);
  if (place === null || !(place.node instanceof Text) || place.node.length === 0) return null;
  const at = Math.min(place.offset, place.node.length - 1);
  const range = document.createRange();
  range.setStart(place.node, at);
  range.setEnd(place.node, at + 1);
  return range.getClientRects()[0] ?? null;
}

/**
 * Whether a caret's name flag, in the leading above its line, would cover a letter of the text, or
 * null while the flag is outside the viewport. Only the browser is queried, because ProseMirror
 * would measure an unknown block letter by letter.
 */
export function coversLetter(caret: Element): boolean | null {
  const flag = caret.firstElementChild?.getBoundingClientRect();
  if (flag === undefined || flag.width === 0) return false;
  if (flag.bottom < 0 || flag.top > innerHeight || flag.right < 0 || flag.left > innerWidth)
    return null;
  const middle = (flag.top + flag.bottom) / 2;
  return [flag.left + 1, (flag.left + flag.right) / 2, flag.right - 1].some((left) => {
    const letter = letterNear(left, middle);
    if (letter === null) return false;
    // A letter is in the middle of its box, and the outer fifths are empty.
    const air = (letter.bottom - letter.top) / 5;
    const touchesAcross = letter.left - 14 < left && left < letter.right + 14;
    return (
      touchesAcross &&
      letter.bottom - air > flag.top &&
      letter.top + air < flag.bottom &&
      letter.bottom <= flag.bottom + air
    );
  });
}
