"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { markPassages } from "@/components/editor/carets/passages";
import type { CommentedText } from "./commented-text";
import { placesOf } from "./passage-places";
import type { PassageHighlight, Place } from "./passage-places";

const idle = 160;

/**
 * Highlights the words of threads in the editor and returns their positions. During typing the
 * highlights are mapped through the changes. At a pause the words are searched again.
 */
export function usePassages(
  editor: Editor | null,
  shown: CommentedText,
  highlights: readonly PassageHighlight[],
): ReadonlyMap<string, Place> {
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(new Map());
  useEffect(() => {
    if (editor === null || editor.isDestroyed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const find = () => {
      if (editor.isDestroyed || editor.view.composing) return;
      const found = placesOf(editor.state.doc, shown, highlights);
      if (found === null) return later();
      markPassages(editor.view, found.passages);
      setPlaces(found.places);
      shown.lineage?.settle();
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(find, idle);
    };
    const changed = ({ transaction }: { transaction: { docChanged: boolean } }) => {
      if (transaction.docChanged) later();
    };
    find();
    editor.on("transaction", changed);
    const forget = shown.lineage?.onLearned(find);
    return () => {
      forget?.();
      clearTimeout(timer);
      editor.off("transaction", changed);
    };
  }, [editor, shown, highlights]);
  return places;
}
