const name = "insight";

/**
 * Highlights a range in place of the earlier one, without changing the DOM, and scrolls the range
 * into view. Null removes the highlight.
 */
export function highlight(range: Range | null): void {
  if (typeof Highlight === "undefined") return;
  if (range === null) {
    CSS.highlights.delete(name);
    return;
  }
  CSS.highlights.set(name, new Highlight(range));
  const box = range.getBoundingClientRect();
  const place = range.startContainer.parentElement;
  const frame = place?.closest("main")?.getBoundingClientRect();
  if (frame && (box.top < frame.top + 40 || box.bottom > frame.bottom - 40))
    place?.scrollIntoView({ block: "center" });
}
