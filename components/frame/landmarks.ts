const landmarks = "[data-landmark]";
const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), " +
  'textarea:not([disabled]), [contenteditable="true"], [tabindex="0"]';

// Excludes the live text behind the past, which has a layout but is hidden.
const shown = (element: HTMLElement) => element.checkVisibility();

/** Moves the focus to the next or previous visible landmark of the page (F6 and Shift+F6). */
export function cycleLandmarks(backwards: boolean): void {
  const all = [...document.querySelectorAll<HTMLElement>(landmarks)].filter(shown);
  if (all.length === 0) return;
  // Landmarks may be nested: the innermost one counts.
  const here = all.findLastIndex((landmark) => landmark.contains(document.activeElement));
  const step = backwards ? -1 : 1;
  const start = here < 0 && backwards ? 0 : here;
  const next = all[(start + step + all.length) % all.length];
  if (!next) return;
  const inside = [...next.querySelectorAll<HTMLElement>(focusable)].find(shown);
  if (!inside) next.tabIndex = -1;
  (inside ?? next).focus();
}
