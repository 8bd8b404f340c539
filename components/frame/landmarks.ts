const landmarks = "[data-landmark]";
const focusable =
  "a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), " +
  'textarea:not([disabled]), [contenteditable="true"], [tabindex="0"]';

// What stands behind the past has its layout, and is not seen.
const shown = (element: HTMLElement) => element.checkVisibility();

/** Moves focus to the next visible landmark of the page, or to the one before; F6 and Shift+F6. */
export function cycleLandmarks(backwards: boolean): void {
  const all = [...document.querySelectorAll<HTMLElement>(landmarks)].filter(shown);
  if (all.length === 0) return;
  // The innermost one: a landmark may stand inside another.
  const here = all.findLastIndex((landmark) => landmark.contains(document.activeElement));
  const step = backwards ? -1 : 1;
  const start = here < 0 && backwards ? 0 : here;
  const next = all[(start + step + all.length) % all.length];
  if (!next) return;
  const inside = [...next.querySelectorAll<HTMLElement>(focusable)].find(shown);
  if (!inside) next.tabIndex = -1;
  (inside ?? next).focus();
}
