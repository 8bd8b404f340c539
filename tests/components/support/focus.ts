/** The accessible name of the focused button or link, or its text. */
export function focused(): string {
  const { activeElement } = document;
  return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "";
}
