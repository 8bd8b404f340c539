/** How many places are remembered: what opened last may be gone, and what opened that. */
const most = 16;

const places: HTMLElement[] = [];
const ownWays = new WeakMap<HTMLElement, () => void>();
const selections = new WeakMap<HTMLElement, Range>();

function onFocus({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement)) return;
  const known = places.indexOf(target);
  if (known >= 0) places.splice(known, 1);
  places.push(target);
  if (places.length > most) places.shift();
}

function onBlur({ target }: FocusEvent): void {
  if (!(target instanceof HTMLElement) || !target.isContentEditable || ownWays.has(target)) return;
  const selection = getSelection();
  const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  // The browser keeps the caret of a field, not that of an element.
  if (range && target.contains(range.commonAncestorContainer))
    selections.set(target, range.cloneRange());
}

/** Remembers what had the focus; answers how to stop. */
export function watchFocus(): () => void {
  const stop = new AbortController();
  document.addEventListener("focusin", onFocus, { capture: true, signal: stop.signal });
  document.addEventListener("focusout", onBlur, { capture: true, signal: stop.signal });
  return () => stop.abort();
}

/** Has an element take the focus in a way of its own, such as with the selection that it keeps; answers how to stop. */
export function focusedBy(element: HTMLElement, focus: () => void): () => void {
  ownWays.set(element, focus);
  return () => ownWays.delete(element);
}

function give(element: HTMLElement): boolean {
  const own = ownWays.get(element);
  if (own) own();
  else element.focus({ preventScroll: true });
  if (document.activeElement !== element) return false;
  const range = selections.get(element);
  if (
    !own &&
    range?.commonAncestorContainer.isConnected === true &&
    element.contains(range.commonAncestorContainer)
  ) {
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
  }
  return true;
}

/**
 * Gives the focus back to what had it last and can still take it, unless something that is there has it now. What lies
 * in `from` is left.
 */
export function returnFocus(from: Element | null = null): void {
  const now = document.activeElement;
  const stays = now instanceof HTMLElement && now !== document.body && now.checkVisibility();
  if (stays && from?.contains(now) !== true) return;
  places.findLast(
    (place) =>
      place.isConnected && from?.contains(place) !== true && place.checkVisibility() && give(place),
  );
}
