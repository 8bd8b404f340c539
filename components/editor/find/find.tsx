"use client";

import type { Editor } from "@tiptap/core";
import { useEffect } from "react";
import { findKey } from "./find-request";
import type { FindRequest } from "./find-request";
import { FindBar } from "./find-bar";

type Props = {
  editor: Editor;
  writes: boolean;
  request: FindRequest | null;
  /** Opens the bar. Null closes it. */
  onAsk: (what: FindRequest["what"] | null) => void;
};

/** Whether the key belongs to a dialog or menu over the page. */
const isElsewhere = (target: EventTarget | null) =>
  target instanceof Element && target.closest('[role="dialog"], [role="menu"]') !== null;

const isInBar = (target: EventTarget | null) =>
  target instanceof Element && target.closest('section[aria-label="Find"]') !== null;

/**
 * The find bar. ⌘F or Ctrl+F opens it. The same key within the bar opens the browser's own search.
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
