"use client";

import type { Editor } from "@tiptap/core";
import { useState } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { selectBlock } from "./block-actions";
import { BlockHandle } from "./block-handle";
import { useLongPress } from "./use-long-press";

const BlockSheet = onDemand(() => import("./block-sheet").then((module) => module.BlockSheet));

type Props = {
  editor: Editor;
  /** Comments on the selection, or null where commenting is not possible. */
  onComment: (() => void) | null;
};

/** The actions on whole blocks, from the handle beside them or a long press on phones. */
export function BlockTools({ editor, onComment }: Props) {
  const narrow = useNarrow();
  const [sheet, setSheet] = useState(false);
  useLongPress(editor, (at) => {
    selectBlock(editor, at);
    setSheet(true);
  });
  return (
    <>
      {!narrow && <BlockHandle editor={editor} onComment={onComment} />}
      {sheet && (
        <BlockSheet editor={editor} onComment={onComment} onClose={() => setSheet(false)} />
      )}
    </>
  );
}
