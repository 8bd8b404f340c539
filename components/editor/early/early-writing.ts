import type { Editor } from "@tiptap/core";
import type { EarlyGroup, EarlyPiece, EarlyWriting, Place } from "./early-capture";
import type { LiveText } from "../binding/live-text";
import { dispatchPaste } from "./held-pastes";
import { KeptInput } from "./kept-input";

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

/** Types one letter as a keyboard does, so that input rules run. */
function typeLetter({ view }: Editor, letter: string): void {
  const { from, to } = view.state.selection;
  const plain = () => view.state.tr.insertText(letter, from, to);
  const isHandled = view.someProp("handleTextInput", (handle) =>
    handle(view, from, to, letter, plain),
  );
  if (isHandled !== true) view.dispatch(plain());
}

function deleteBefore(editor: Editor): void {
  const { $from, from, empty } = editor.state.selection;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, "￼");
  const last = [...new Intl.Segmenter().segment(before)].at(-1)?.segment;
  if (!empty || last === undefined) editor.commands.keyboardShortcut("Backspace");
  else editor.view.dispatch(editor.state.tr.delete(from - last.length, from));
}

function write(editor: Editor, piece: EarlyPiece): void {
  if (typeof piece !== "string") {
    if ("enter" in piece) editor.commands.enter();
    else dispatchPaste(editor.view.dom, piece);
    return;
  }
  for (const letter of piece)
    if (letter === "\n") editor.commands.enter();
    else typeLetter(editor, letter);
}

/** Writes groups at their positions, in order. A group without one is written at the start. */
export function writeGroups(
  editor: Editor,
  groups: readonly EarlyGroup[],
  placed: (group: EarlyGroup) => { from: number; to: number } | null = (group) =>
    placeOf(editor, group),
): void {
  let places = groups.map(placed);
  const follow = ({ transaction }: { transaction: Editor["state"]["tr"] }) => {
    const at = (position: number) => transaction.mapping.map(position);
    places = places.map((place) => place && { from: at(place.from), to: at(place.to) });
  };
  editor.on("transaction", follow);
  for (const [index, { deleted, pieces }] of groups.entries()) {
    const place = places[index] ?? null;
    if (place !== null) editor.commands.setTextSelection(place);
    if (!editor.state.selection.empty) editor.commands.deleteSelection();
    for (let letter = 0; letter < deleted; letter += 1) deleteBefore(editor);
    for (const piece of pieces) write(editor, piece);
  }
  editor.off("transaction", follow);
}

/** Returns the range of a group in an editor that has the same blocks. */
function placeOf(editor: Editor, { from, to }: EarlyGroup): { from: number; to: number } | null {
  if (from === null || to === null) return null;
  const [begin, end] = [positionOf(editor, from), positionOf(editor, to)];
  return begin === null || end === null ? null : { from: begin, to: end };
}

/**
 * Restores the caret of the early input and writes the input. Does not restore the focus if it has
 * moved elsewhere.
 */
export function continueWriting(editor: Editor, early: EarlyWriting, live: LiveText): void {
  const { groups, place, stays, key, release } = early;
  const position = place === null ? null : positionOf(editor, place);
  if (stays) editor.commands.focus(position ?? undefined, { scrollIntoView: false });
  else if (position !== null) editor.commands.setTextSelection(position);
  if (!editor.isEditable) return release();
  writeGroups(editor, groups);
  if (key === null) return;
  const kept = new KeptInput(key, live);
  void kept.removeOnceStored(groups, heldPastes(editor)).finally(release);
}

/** Resolves once no paste waits for its code. Returns null if none waits. */
export function heldPastes(editor: Editor): Promise<void> | null {
  return editor.storage.longPaste.held?.released ?? null;
}
