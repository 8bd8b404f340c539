import type { Editor } from "@tiptap/core";
import { addressOfBlock } from "@/components/editor/blocks/block-address";
import type { CopyText } from "@/components/ui/clipboard/use-copy-text";

/**
 * Puts the address of the block at a position of the editor on the clipboard, and says what came of
 * it. A text without such a block has an address of its own.
 */
export async function copyBlockLink(
  { state }: Pick<Editor, "state">,
  position: number,
  copyText: CopyText,
): Promise<void> {
  const block = addressOfBlock(state, position);
  const address = `${location.origin}${location.pathname}${block === null ? "" : `#${block}`}`;
  await copyText(address, "Link copied");
}
