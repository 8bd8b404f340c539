import type { Editor } from "@tiptap/core";

/**
 * Where in an element somebody has put the caret, by child numbers, so that it is found again after
 * the same text was rendered anew.
 */
type Place = { path: number[]; offset: number };

/** What somebody did in the text before it could be written in, and whether they are there still. */
export type EarlyWriting = { place: Place | null; keys: string[]; stays: boolean };

function placeOf(element: HTMLElement): Place | null {
  const selection = element.ownerDocument.getSelection();
  const { focusNode, focusOffset = 0 } = selection ?? {};
  if (!focusNode || !element.contains(focusNode)) return null;
  const path: number[] = [];
  for (let node: Node = focusNode; node !== element && node.parentNode; node = node.parentNode) {
    path.unshift([...node.parentNode.childNodes].findIndex((child) => child === node));
  }
  return { path, offset: focusOffset };
}

function isLetter({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  return (
    !isComposing &&
    !ctrlKey &&
    !metaKey &&
    !altKey &&
    (key.length === 1 || key === "Enter" || key === "Backspace")
  );
}

/**
 * Keeps what somebody does in the text while only the server's rendering of it is there; `take` ends that and tells:
 * null when they were elsewhere and typed nothing.
 */
export function watchEarlyWriting(
  element: HTMLElement,
  mayWrite: () => boolean,
): { take: () => EarlyWriting | null } {
  const keys: string[] = [];
  let typedAt: Place | null = null;
  const listen = (event: KeyboardEvent) => {
    if (!mayWrite() || !isLetter(event)) return;
    event.preventDefault();
    typedAt = placeOf(element);
    if (event.key !== "Backspace") keys.push(event.key);
    else keys.pop();
  };
  element.addEventListener("keydown", listen);
  return {
    take() {
      element.removeEventListener("keydown", listen);
      if (element.contains(element.ownerDocument.activeElement))
        return { place: placeOf(element), keys, stays: true };
      return keys.length > 0 ? { place: typedAt, keys, stays: false } : null;
    },
  };
}

function positionOf(editor: Editor, { path, offset }: Place): number | null {
  let node: Node = editor.view.dom;
  for (const index of path) {
    const child: Node | undefined = node.childNodes[index];
    if (child === undefined) return null;
    node = child;
  }
  const length =
    node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "").length : node.childNodes.length;
  return editor.view.posAtDOM(node, Math.min(offset, length));
}

/**
 * Puts the caret where it was put before the editor was there, and types what was typed; whoever
 * went on elsewhere stays there.
 */
export function continueWriting(editor: Editor, { place, keys, stays }: EarlyWriting): void {
  const position = place === null ? null : positionOf(editor, place);
  if (stays) editor.commands.focus(position ?? undefined, { scrollIntoView: false });
  else if (position !== null) editor.commands.setTextSelection(position);
  if (!editor.isEditable) return;
  for (const key of keys) {
    if (key === "Enter") editor.commands.enter();
    else editor.view.dispatch(editor.state.tr.insertText(key));
  }
}
