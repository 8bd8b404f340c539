"use client";

import type { Editor } from "@tiptap/core";
import { MessageSquarePlus } from "lucide-react";
import { useEditorState } from "@/components/editor/toolbar/editor-state";
import { Floating } from "@/components/editor/toolbar/floating";
import type { Anchor } from "@/components/editor/toolbar/floating";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import styles from "./threads.module.css";

function selectionEnd(editor: Editor): Anchor | null {
  const { from, to } = editor.state.selection;
  const [start, end] = [editor.view.coordsAtPos(from), editor.view.coordsAtPos(to, -1)];
  return {
    left: Math.min(start.left, end.left),
    right: end.right,
    top: start.top,
    bottom: end.bottom,
  };
}

function hasWords({ state }: Editor): boolean {
  const { from, to, empty } = state.selection;
  return !empty && state.doc.textBetween(from, to, " ").trim() !== "";
}

/** Shows a comment button over a selection, for readers who may comment but not edit. */
export function CommentBubble({ editor, onComment }: { editor: Editor; onComment: () => void }) {
  const words = useEditorState(editor, hasWords);
  if (!words) return null;
  return (
    <Floating editor={editor} anchor={selectionEnd} side="above" className={styles.bubble}>
      {/* Pressing the button must not move the selection out of the text. */}
      <Button
        look="quiet"
        aria-keyshortcuts="Control+Shift+M"
        onMouseDown={(event) => event.preventDefault()}
        onClick={onComment}
      >
        <Icon of={MessageSquarePlus} />
        Comment
      </Button>
    </Floating>
  );
}
