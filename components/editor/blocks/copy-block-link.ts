import type { Editor } from "@tiptap/core";
import { addressOfBlock } from "@/components/editor/block-address";
import { copyText, uncopied } from "@/components/ui/clipboard";
import type { Toast } from "@/components/ui/toast-cards";

/**
 * Puts the address of the block at a position of the editor on the clipboard, and says what came of
 * it. A text without such a block has an address of its own.
 */
export async function copyBlockLink(
  { state }: Pick<Editor, "state">,
  position: number,
  toast: (toast: Toast) => void,
): Promise<void> {
  const block = addressOfBlock(state, position);
  const address = `${location.origin}${location.pathname}${block === null ? "" : `#${block}`}`;
  const copied = await copyText(address);
  toast({ text: copied ? "Link copied" : uncopied });
}
