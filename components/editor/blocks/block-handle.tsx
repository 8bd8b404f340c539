"use client";

import type { Editor } from "@tiptap/core";
import { GripVertical, Plus } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { Icon } from "@/components/ui/icon";
import { selectBlock } from "./block-actions";
import { beginDrag, watchDrag } from "./block-drag";
import type { Landing } from "./block-landing";
import { addBlockBelow } from "./block-moves";
import { placeOfBlock } from "./block-place";
import { useBlockTarget } from "./use-block-target";
import styles from "./block-handle.module.css";

const fetchMenu = () => import("./block-menu");
const BlockMenu = onDemand(() => fetchMenu().then((module) => module.BlockMenu));

/** The handle's distance from the text in px, in wide margins and in narrow ones. */
const wide = 56;
const tight = 41;

type Props = {
  editor: Editor;
  /** Comments on the selection, or null where commenting is not possible. */
  onComment: (() => void) | null;
};

/**
 * The handle beside a block. “+” adds a block below, and the grip drags the block or opens its
 * menu. The handle is beside the block under the pointer or with the caret, and does not shift the
 * text.
 */
export function BlockHandle({ editor, onComment }: Props) {
  const layer = useRef<HTMLDivElement>(null);
  const tint = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const wasOpen = useRef(false);
  const line = useRef<HTMLDivElement>(null);
  const endDrag = useRef<() => void>(null);
  const id = useId();
  const target = useBlockTarget(editor, layer, open);

  // The position is computed again on every render and on every change of the text.
  useLayoutEffect(() => {
    let frame = 0;
    const place = () => {
      const found = target === null || editor.isDestroyed ? null : placeOfBlock(editor, target);
      const { current: handle } = layer;
      if (handle === null) return;
      handle.dataset.shown = found === null ? "no" : "yes";
      if (found === null) {
        // A handle left below a shortened text would keep the page at its old height.
        handle.style.translate = "";
        return;
      }
      const before = found.left < wide ? tight : wide;
      handle.dataset.room = before === tight ? "tight" : "wide";
      handle.style.translate = `${found.left - before}px ${found.top + found.line - 12}px`;
      if (tint.current === null) return;
      tint.current.style.translate = `${found.left - 10}px ${found.top - 4}px`;
      tint.current.style.inlineSize = `${found.width + 20}px`;
      tint.current.style.blockSize = `${found.height + 8}px`;
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    };
    place();
    const sizes = new ResizeObserver(soon);
    sizes.observe(editor.view.dom);
    editor.on("transaction", soon);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      editor.off("transaction", soon);
    };
  }, [editor, target, open]);

  useEffect(() => () => endDrag.current?.(), [editor]);
  const showLanding = (landing: Landing | null) => {
    const scroller = editor.view.dom.closest("main");
    if (line.current === null || scroller === null) return;
    line.current.dataset.shown = landing === null ? "no" : "yes";
    if (landing === null) return;
    const { top, left, width } = landing.line;
    const page = scroller.getBoundingClientRect();
    line.current.style.translate = `${left - page.left}px ${top - page.top + scroller.scrollTop}px`;
    line.current.style.inlineSize = `${width}px`;
  };

  const openMenu = () => {
    if (target === null || wasOpen.current) return;
    selectBlock(editor, target);
    setOpen(true);
  };
  const add = () => {
    if (target === null) return;
    selectBlock(editor, target);
    const added = addBlockBelow(editor.state);
    if (added === null) return;
    editor.view.dispatch(added);
    editor.view.focus();
    editor.view.dispatch(editor.state.tr.insertText("/"));
  };
  return (
    <>
      {open && <div ref={tint} className={styles.tint} />}
      <div ref={line} className={styles.landing} data-shown="no" />
      <div ref={layer} className={styles.handle} data-shown="no">
        <button
          type="button"
          className={styles.part}
          aria-label="Add block below"
          title="Add block below"
          onMouseDown={(event) => event.preventDefault()}
          onClick={add}
        >
          <Icon of={Plus} />
        </button>
        <span className={styles.grip}>
          <button
            type="button"
            id={id}
            className={styles.part}
            aria-label="Block actions"
            title="Drag to move, press for actions"
            aria-haspopup="menu"
            aria-expanded={open}
            draggable
            onPointerEnter={() => void fetchMenu()}
            onFocus={() => void fetchMenu()}
            onPointerDown={() => (wasOpen.current = open)}
            onKeyDown={(event) => {
              wasOpen.current = false;
              if (event.key === "ArrowDown") {
                event.preventDefault();
                openMenu();
              }
            }}
            onClick={openMenu}
            onDragStart={(event) => {
              if (target === null) return event.preventDefault();
              beginDrag(editor, target, event);
              endDrag.current = watchDrag(editor, showLanding);
            }}
            onDragEnd={() => {
              endDrag.current?.();
              endDrag.current = null;
            }}
          >
            <Icon of={GripVertical} />
          </button>
          {open && (
            <BlockMenu
              editor={editor}
              labelledBy={id}
              onComment={onComment}
              onClose={() => setOpen(false)}
            />
          )}
        </span>
      </div>
    </>
  );
}
