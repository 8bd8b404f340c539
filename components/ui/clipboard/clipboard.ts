/** The message if nothing could be copied. */
export const uncopied =
  "This browser does not let the page copy. Select the words and copy them by hand.";

/** Copies text to the clipboard. Returns false if the browser does not allow that. */
export async function copyText(text: string): Promise<boolean> {
  // Insecure origins have no clipboard, although the type declares one.
  const clipboard: Clipboard | undefined = navigator.clipboard;
  if (clipboard === undefined) return copiedBySelection(text);
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Copies by `execCommand`, which needs no focus: an open dialog would trap the focus. */
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
