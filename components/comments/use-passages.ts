"use client";

import type { Editor } from "@tiptap/core";
import { useEffect, useState } from "react";
import { whereIs, type Anchor } from "@/events/analysis/anchors/anchor";
import { liveText } from "@/events/analysis/anchors/live-anchor";
import { markPassages } from "@/components/editor/passages";
import { type CommentedText } from "./commented-text";
import { textRuns } from "./text-runs";

/** Words to be marked in the text, in this way. */
export type PassageHighlight = { id: string; anchor: Anchor; className: string };

/** Where a thread belongs in the text: beside which position, and whether its words are still there. */
export type Place = { position: number | null; gone: boolean };

const idle = 160;

function placesOf(editor: Editor, shown: CommentedText, wanted: readonly PassageHighlight[]) {
  const text = liveText(shown.fragment);
  const runs = textRuns(editor.state.doc, text);
  if (runs === null) return null;
  const places = new Map<string, Place>();
  const passages = wanted.flatMap(({ id, anchor, className }) => {
    const where = whereIs(anchor, text);
    if (where.state === "gone") {
      places.set(id, { position: where.at && runs.positionOf(where.at), gone: true });
      return [];
    }
    const [from, to] = [runs.positionOf(where.from), runs.positionOf(where.to)];
    places.set(id, { position: from, gone: false });
    return from === null || to === null || from >= to ? [] : [{ id, from, to, className }];
  });
  return { places, passages };
}

/**
 * Marks the words of threads in the editor and says where they are. While somebody writes the marks go along; where the
 * words are is found out again when the writing rests.
 */
export function usePassages(
  editor: Editor | null,
  shown: CommentedText,
  wanted: readonly PassageHighlight[],
): ReadonlyMap<string, Place> {
  const [places, setPlaces] = useState<ReadonlyMap<string, Place>>(new Map());
  useEffect(() => {
    if (editor === null || editor.isDestroyed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const find = () => {
      if (editor.isDestroyed || editor.view.composing) return;
      const found = placesOf(editor, shown, wanted);
      if (found === null) return later();
      markPassages(editor.view, found.passages);
      setPlaces(found.places);
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
    return () => {
      clearTimeout(timer);
      editor.off("transaction", changed);
    };
  }, [editor, shown, wanted]);
  return places;
}
