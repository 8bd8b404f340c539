import type { Editor } from "@tiptap/core";
import { addressOfBlock } from "@/components/editor/blocks/block-address";
import type { CopyText } from "@/components/ui/clipboard/use-copy-text";

/**
 * Copies the URL of the block at a position and reports the result. Without a block there, copies
 * the document's URL.
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
