"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { blockAtAddress } from "@/components/editor/blocks/block-address";
import { goToPlace } from "@/components/frame/reading-place";
import { useAnnounce } from "@/components/ui/screen/announcer";
import type { Store } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { MissingBlock } from "./missing-block";

type Props = {
  documentId: string;
  /** The hash of the URL, including the `#`. */
  hash: string;
  editor: Editor;
  live: LiveDocument;
  store: Pick<Store, "read">;
};

/** Scroll margin above a linked block, in px. */
const room = 96;
const mark = "linked-block";
const gestures = ["wheel", "touchmove", "keydown", "pointerdown"] as const;

function elementAt(editor: Editor, hash: string): HTMLElement | null {
  if (editor.isDestroyed) return null;
  const position = blockAtAddress(editor.state, hash);
  const node = position === null ? null : editor.view.nodeDOM(position);
  return node instanceof HTMLElement ? node : null;
}

function markWords(element: HTMLElement): void {
  if (typeof Highlight === "undefined") return;
  const range = document.createRange();
  range.selectNodeContents(element);
  CSS.highlights.set(mark, new Highlight(range));
}

/**
 * Scrolls to the block that the URL names and marks it until the reader's next action. If the block
 * does not exist, reports its outcome.
 */
export function LinkedBlock({ documentId, hash, editor, live, store }: Props) {
  const [missing, setMissing] = useState<string | null>(null);
  const announce = useAnnounce();
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    let found = false;
    const show = () => {
      const element = elementAt(editor, hash);
      if (element === null) return;
      if (!found) {
        // The words may change meanwhile. Without them, `goToPlace` needs only this block.
        const place = { block: 0, line: 0, words: "", offset: room };
        goToPlace(editor.view.dom, place, [element]);
        const words = (element.textContent ?? "").trim().slice(0, 80);
        announce(`At the linked block${words === "" ? "" : `: ${words}`}`);
        setMissing(null);
      }
      found = true;
      markWords(element);
    };
    const end = () => {
      if (found) stop.abort();
    };
    editor.on("transaction", show);
    signal.addEventListener("abort", () => {
      editor.off("transaction", show);
      if (typeof Highlight !== "undefined") CSS.highlights.delete(mark);
    });
    for (const gesture of gestures)
      addEventListener(gesture, end, { capture: true, passive: true, signal });
    show();
    void live.loaded.then(() => {
      if (signal.aborted) return;
      show();
      if (!found) setMissing(hash);
    });
    return () => stop.abort();
  }, [editor, hash, live, announce]);
  if (missing !== hash) return null;
  return <MissingBlock documentId={documentId} hash={hash} live={live} store={store} />;
}
