"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import type { RefObject } from "react";
import { useEditorState } from "../toolbar/editor-state";
import { selectedBlocks } from "./block-moves";
import { blockAtHeight } from "./block-place";

const readCaretBlock = (editor: Editor) => selectedBlocks(editor.state)?.from ?? null;

/** Returns the block under the pointer. Null again as soon as the person types. */
function useHovered(editor: Editor, handle: RefObject<HTMLElement | null>): number | null {
  const [hovered, setHovered] = useState<number | null>(null);
  useEffect(() => {
    const page = editor.view.dom.closest("main") ?? document.body;
    let frame = 0;
    let at: { x: number; y: number } | null = null;
    const look = () => {
      if (editor.isDestroyed) return;
      setHovered(at === null ? null : blockAtHeight(editor.view, at.x, at.y));
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    const move = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons !== 0) return;
      const { target, clientX: x, clientY: y } = event;
      if (target instanceof Node && handle.current?.contains(target) === true) return;
      const text = editor.view.dom.getBoundingClientRect();
      const isBeside = x > text.left - 80 && x < text.right + 24;
      at = isBeside && y > text.top && y < text.bottom ? { x, y } : null;
      soon();
    };
    const forget = () => {
      at = null;
      soon();
    };
    page.addEventListener("pointermove", move);
    page.addEventListener("pointerleave", forget);
    editor.view.dom.addEventListener("keydown", forget);
    editor.on("transaction", soon);
    return () => {
      cancelAnimationFrame(frame);
      page.removeEventListener("pointermove", move);
      page.removeEventListener("pointerleave", forget);
      editor.off("transaction", soon);
      if (!editor.isDestroyed) editor.view.dom.removeEventListener("keydown", forget);
    };
  }, [editor, handle]);
  return hovered;
}

/** Whether the text or the handle beside it has focus. */
function useFocusNear(editor: Editor, handle: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(editor.isFocused);
  useEffect(() => {
    const { dom } = editor.view;
    const isNear = (target: EventTarget | null) =>
      target instanceof Node && (dom.contains(target) || handle.current?.contains(target) === true);
    const come = (event: FocusEvent) => setNear(isNear(event.target));
    const go = (event: FocusEvent) => {
      if (isNear(event.target) && !isNear(event.relatedTarget)) setNear(false);
    };
    document.addEventListener("focusin", come);
    document.addEventListener("focusout", go);
    return () => {
      document.removeEventListener("focusin", come);
      document.removeEventListener("focusout", go);
    };
  }, [editor, handle]);
  return near;
}

/**
 * Returns the position before the block beside which the handle is shown: the caret's block while
 * the menu is open, or else the block under the pointer, or else the caret's. Null without a block.
 */
export function useBlockTarget(
  editor: Editor,
  handle: RefObject<HTMLElement | null>,
  held: boolean,
): number | null {
  const caret = useEditorState(editor, readCaretBlock);
  const hovered = useHovered(editor, handle);
  const near = useFocusNear(editor, handle);
  if (held) return caret;
  return hovered ?? (near ? caret : null);
}
