"use client";

import { useEffect, useState } from "react";
import { passageOf } from "@/events/analysis/attribution";
import type { Passage } from "@/events/analysis/attribution";
import type { AnalysisViewModel } from "../model/analysis-model";

/** The passage under the pointer or (`byKey`) at the caret, and its viewport position. */
type Pointed = { passage: Passage; x: number; y: number; byKey: boolean };

const dwell = 220;

/** The key that shows the card of the passage at the caret, next to the toolbar's Alt+F10. */
export const caretKey = "Alt+F9";

/** Returns the caret's viewport position, or null if the caret is not in the text. */
function caretIn(element: HTMLElement): { x: number; y: number; height: number } | null {
  const selection = getSelection();
  if (!selection?.focusNode || !element.contains(selection.focusNode)) return null;
  const range = document.createRange();
  range.setStart(selection.focusNode, selection.focusOffset);
  const [box = null] = range.getClientRects();
  // In an empty block, a caret has no rectangle.
  const around =
    box ??
    (selection.focusNode instanceof Element
      ? selection.focusNode
      : selection.focusNode.parentElement
    )?.getBoundingClientRect();
  return around ? { x: around.left, y: around.top, height: around.height } : null;
}

/**
 * Returns the passage under a resting pointer, until the pointer leaves text and card, or the
 * passage at the caret once its key is pressed. Also returns the function that dismisses the
 * passage.
 */
export function usePointed({
  timeline,
  index,
  domAdapter,
  contentOrigin,
}: AnalysisViewModel): [Pointed | null, () => void] {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  useEffect(() => {
    if (!domAdapter) return;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const passageAt = (x: number, y: number) => {
      const place = domAdapter.placeAt(x, y);
      return place && passageOf(timeline, place, index, contentOrigin);
    };
    const look = ({ clientX: x, clientY: y, target }: PointerEvent) => {
      clearTimeout(rest);
      if (target instanceof Element && target.closest("[data-card]")) return;
      const inText = target instanceof Node && domAdapter.element.contains(target);
      rest = setTimeout(() => {
        const passage = inText ? passageAt(x, y) : null;
        setPointed(passage ? { passage, x, y, byKey: false } : null);
      }, dwell);
    };
    const ask = (event: KeyboardEvent) => {
      if (event.key !== "F9" || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
        return;
      const caret = caretIn(domAdapter.element);
      if (!caret) return;
      event.preventDefault();
      clearTimeout(rest);
      // Behind the last letter of a line, the letter before the caret is used.
      const middle = caret.y + caret.height / 2;
      const passage = passageAt(caret.x + 1, middle) ?? passageAt(caret.x - 2, middle);
      setPointed(passage ? { passage, x: caret.x, y: caret.y + caret.height, byKey: true } : null);
    };
    document.addEventListener("pointermove", look, { passive: true });
    document.addEventListener("pointerdown", look, { passive: true });
    document.addEventListener("keydown", ask);
    return () => {
      clearTimeout(rest);
      document.removeEventListener("pointermove", look);
      document.removeEventListener("pointerdown", look);
      document.removeEventListener("keydown", ask);
    };
  }, [domAdapter, timeline, index, contentOrigin]);
  return [pointed, () => setPointed(null)];
}
