"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useLayoutEffect, useRef } from "react";
import type { ComponentProps } from "react";

/** A rectangle of the viewport beside which a layer floats. */
export type Anchor = { left: number; right: number; top: number; bottom: number };

type Props = ComponentProps<"div"> & {
  editor: Editor;
  /** Returns the anchor, or null to leave the layer in place. Must be stable across renders. */
  anchor: (editor: Editor) => Anchor | null;
  side: "above" | "below";
  gap?: number;
};

const margin = 8;

/**
 * Moves a fixed element beside a rectangle of the viewport, `gap` px away, on the given side if it
 * has room.
 */
export function placeBeside(
  element: HTMLElement,
  at: Anchor,
  side: Props["side"],
  gap: number,
): void {
  const { offsetWidth: width, offsetHeight: height } = element;
  const above = at.top - gap - height;
  const below = at.bottom + gap;
  const fitsBelow = below + height <= window.innerHeight - margin;
  const up = side === "above" ? above >= margin || !fitsBelow : !fitsBelow && above >= margin;
  const left = Math.max(margin, Math.min(at.left, window.innerWidth - width - margin));
  element.style.transform = `translate(${Math.round(left)}px, ${Math.round(up ? Math.max(margin, above) : below)}px)`;
}

/** A layer beside a position of the text. It follows edits, scrolling and resizing. */
export function Floating({ editor, anchor, side, gap = 8, style, ...rest }: Props) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const at = editor.isDestroyed ? null : anchor(editor);
    if (element.current !== null && at !== null) placeBeside(element.current, at, side, gap);
  });
  useEffect(() => {
    let frame = 0;
    const follow = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const at = editor.isDestroyed ? null : anchor(editor);
        if (element.current !== null && at !== null) placeBeside(element.current, at, side, gap);
      });
    };
    editor.on("transaction", follow);
    window.addEventListener("scroll", follow, { capture: true, passive: true });
    window.addEventListener("resize", follow);
    return () => {
      cancelAnimationFrame(frame);
      editor.off("transaction", follow);
      window.removeEventListener("scroll", follow, { capture: true });
      window.removeEventListener("resize", follow);
    };
  }, [editor, anchor, side, gap]);
  return (
    <div
      {...rest}
      ref={element}
      style={{ ...style, position: "fixed", insetBlockStart: 0, insetInlineStart: 0 }}
    />
  );
}
