"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import type { RefObject } from "react";
import { passagesIn } from "@/components/editor/carets/passages";
import { marginLayout, noteGap, noteLift } from "./margin-layout";
import type { Place } from "./passage-places";

type Input = {
  editor: Editor | null;
  margin: RefObject<HTMLElement | null>;
  places: ReadonlyMap<string, Place>;
  held: string | null;
  /** The smallest top of the first note, in px from the beginning of the margin. */
  begin: number;
};

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([id, top]) => other.get(id) === top);
}

function tops({ editor, margin, places, held, begin }: Input): Map<string, number> | null {
  const element = margin.current;
  if (element === null || editor === null || editor.isDestroyed) return null;
  const origin = element.getBoundingClientRect().top;
  const marked = passagesIn(editor.state);
  const size = editor.state.doc.content.size;
  const bottom = editor.view.dom.getBoundingClientRect().bottom - origin;
  const notes = [...element.querySelectorAll<HTMLElement>("[data-note]")].map((note) => {
    const id = note.dataset.note ?? "";
    const position = marked.get(id)?.from ?? places.get(id)?.position ?? null;
    const top =
      position === null
        ? bottom
        : editor.view.coordsAtPos(Math.min(position, size)).top - origin - noteLift;
    return { id, top: Math.round(top), height: note.offsetHeight };
  });
  return marginLayout(notes, held, noteGap, begin);
}

/**
 * Returns the tops of the notes in a margin, beside their words. The tops are measured again when
 * the text, the notes or the window changes.
 */
export function useMargin(input: Input): ReadonlyMap<string, number> {
  const { editor, margin, places, held, begin } = input;
  const [placed, setPlaced] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    // If the text was just replaced, this is called once more after the editor was destroyed.
    if (editor === null || editor.isDestroyed) return;
    let frame = 0;
    const measure = () => {
      const next = tops({ editor, margin, places, held, begin });
      if (next) setPlaced((before) => (isSame(before, next) ? before : next));
    };
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    const sizes = new ResizeObserver(soon);
    for (const note of margin.current?.querySelectorAll("[data-note]") ?? []) sizes.observe(note);
    sizes.observe(editor.view.dom);
    soon();
    editor.on("transaction", soon);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      editor.off("transaction", soon);
    };
  });
  return placed;
}
