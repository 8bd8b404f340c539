/** The number of remembered elements. More than one, because the last may be unmounted. */
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
  // Browsers keep the caret of a field, but not the caret of another element.
  if (range && target.contains(range.commonAncestorContainer))
    selections.set(target, range.cloneRange());
}

/** Remembers the focused elements. Returns the function that stops. */
export function watchFocus(): () => void {
  const stop = new AbortController();
  document.addEventListener("focusin", onFocus, { capture: true, signal: stop.signal });
  document.addEventListener("focusout", onBlur, { capture: true, signal: stop.signal });
  return () => stop.abort();
}

/**
 * Sets how an element is focused, for example with its selection. Returns the function that removes
 * the setting.
 */
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
 * Returns the focus to the last element that can still be focused, unless a visible element has the
 * focus now. Focus inside `from` is always moved.
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
