import type { Editor } from "@tiptap/core";
import type { LiveText } from "../binding/live-text";
import type { EarlyGroup } from "./early-capture";
import { heldPastes, writeGroups } from "./early-writing";
import { KeptInput } from "./kept-input";
import type { LeftGroup } from "./kept-input";

/**
 * Writes the kept input of the person's earlier pages, which ended before their editors were ready.
 * A group is written at its position if the block still has the same text, or else at the end.
 * Reports that input was added. The input of a page that is still open is left to that page.
 */
export function writeLeft(
  editor: Editor,
  live: LiveText,
  keys: readonly string[],
  say: (sentence: string) => void,
): void {
  // Insecure origins have no `navigator.locks`, contrary to the types.
  const locks: LockManager | undefined = navigator.locks;
  for (const key of keys) {
    const write = () => takeLeft(editor, new KeptInput(key, live), say);
    if (locks === undefined) void write();
    else void locks.request(key, write);
  }
}

/** Writes the kept input of one page. Resolves once the device no longer keeps it. */
async function takeLeft(
  editor: Editor,
  kept: KeptInput,
  say: (sentence: string) => void,
): Promise<void> {
  const missing = await kept.missing();
  // Input that cannot be written now stays on the device.
  if (missing === null || editor.isDestroyed || !editor.isEditable) return;
  const written = missing.flatMap((group) => writeLeftGroup(editor, group));
  const removed = kept.removeOnceStored(written, heldPastes(editor));
  if (written.length > 0) say("Added what you typed here before the page had loaded.");
  await removed;
}

/** Writes a group and returns it as written. Deletions without their block are not written. */
function writeLeftGroup(editor: Editor, { pieces, ...group }: LeftGroup): EarlyGroup[] {
  const block = group.to === null ? null : editor.view.dom.children[group.to.path[0] ?? 0];
  const isSame = block !== null && block !== undefined && block.textContent === group.words;
  if (!isSame && pieces.length === 0) return [];
  if (!isSame) editor.commands.setTextSelection(editor.state.doc.content.size);
  if (!isSame && editor.state.selection.$from.parent.content.size > 0) editor.commands.enter();
  const whole: EarlyGroup = {
    ...group,
    deleted: isSame ? group.deleted : 0,
    pieces: pieces.map((written) =>
      typeof written === "object" && "strings" in written ? { ...written, files: [] } : written,
    ),
  };
  writeGroups(editor, [whole], isSame ? undefined : () => null);
  return [whole];
}
