/** What to say when nothing could be copied. */
export const uncopied =
  "This browser does not let the page copy. Select the words and copy them by hand.";

/** Puts text on the clipboard; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  // The types promise it; an insecure origin has none.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return copiedBySelection(text);
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** The old way, which needs something selected, but no focus: a dialog keeps that to itself. */
function copiedBySelection(text: string): boolean {
  const selection = getSelection();
  if (selection === null) return false;
  const before = selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
  const bait = document.createElement("span");
  bait.textContent = "\u00a0";
  bait.ariaHidden = "true";
  document.body.append(bait);
  selection.selectAllChildren(bait);
  const answer = (event: ClipboardEvent) => {
    event.stopImmediatePropagation();
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
  };
  addEventListener("copy", answer, { capture: true });
  const done = document.execCommand("copy");
  removeEventListener("copy", answer, { capture: true });
  bait.remove();
  selection.removeAllRanges();
  if (before !== null) selection.addRange(before);
  return done;
}
