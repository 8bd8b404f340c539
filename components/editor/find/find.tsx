"use client";

import type { Editor } from "@tiptap/core";
import { useEffect } from "react";
import { type FindRequest, findKey } from "./find-request";
import { FindBar } from "./find-bar";

type Props = {
  editor: Editor;
  writes: boolean;
  request: FindRequest | null;
  /** Asks for the bar; null closes it. */
  onAsk: (what: FindRequest["what"] | null) => void;
};

/** Whether a layer over the page has the key. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null;

const isInBar = (target: EventTarget | null) =>
  target instanceof Element && target.closest('section[aria-label="Find"]') !== null;

/**
 * The bar that finds words in the text. ⌘F or Ctrl+F opens it, and pressed again within it leads to
 * the browser's own.
 */
export function Find({ editor, writes, request, onAsk }: Props) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const what = findKey(event);
      if (what === null || isElsewhere(event.target)) return;
      if (what === "find" && isInBar(event.target)) return;
      event.preventDefault();
      onAsk(what === "replace" && !writes ? "find" : what);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [writes, onAsk]);
  if (request === null) return null;
  return <FindBar editor={editor} writes={writes} request={request} onClose={() => onAsk(null)} />;
}
