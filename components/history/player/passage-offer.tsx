"use client";

import { ArchiveRestore } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import type { PassageRange } from "@/events/analysis/passage";
import type { Timeline } from "@/events/history/timeline/timeline";
import { placeBeside } from "@/components/editor/toolbar/floating";
import { useNarrow } from "@/components/ui/screen/narrow-screen";
import { PastDomAdapter } from "@/components/history/analysis/highlights/past-dom-adapter";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { pastTextId } from "@/components/history/revision/revision-page";
import styles from "./player.module.css";

/** Returns the selected words of a past revision, or null if no text is selected. */
export function selectedPassage(timeline: Timeline): PassageRange | null {
  const element = document.getElementById(pastTextId);
  return element && new PastDomAdapter(element, timeline).selected();
}

/** Returns the selection's viewport rectangle, or null if it is scrolled out of view. */
function selectionBox(): DOMRect | null {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return null;
  const box = selection.getRangeAt(0).getBoundingClientRect();
  const frame = document.getElementById(pastTextId)?.closest("main")?.getBoundingClientRect();
  return frame && (box.bottom < frame.top || box.top > frame.bottom) ? null : box;
}

/**
 * Shows a button over selected words of the past that restores them into the live text. The button
 * is the next tab stop after the text.
 */
export function PassageOffer({ timeline, onBring }: { timeline: Timeline; onBring: () => void }) {
  const [offered, setOffered] = useState(false);
  const bubble = useRef<HTMLDivElement>(null);
  // Phones show their own menu above the selection.
  const side = useNarrow() ? "below" : "above";
  useEffect(() => {
    let frame = 0;
    const place = () => {
      const box = selectionBox();
      const element = bubble.current;
      if (!element) return;
      element.style.visibility = box ? "" : "hidden";
      if (box) placeBeside(element, box, side, 8);
    };
    const soon = (work: () => void) => () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(work);
    };
    const read = soon(() => {
      setOffered(selectedPassage(timeline) !== null);
      place();
    });
    const follow = soon(place);
    if (offered) place();
    else read();
    document.addEventListener("selectionchange", read);
    addEventListener("scroll", follow, { capture: true, passive: true });
    addEventListener("resize", follow);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener("selectionchange", read);
      removeEventListener("scroll", follow, { capture: true });
      removeEventListener("resize", follow);
    };
  }, [timeline, side, offered]);
  if (!offered) return null;
  const listen = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    getSelection()?.collapseToStart();
    document.getElementById(pastTextId)?.closest("section")?.focus({ preventScroll: true });
  };
  return (
    <div ref={bubble} className={styles.offer} data-own-keys onKeyDown={listen}>
      {/* Pressing the button must not move the selection out of the text. */}
      <Button
        look="quiet"
        aria-keyshortcuts="R"
        onMouseDown={(event) => event.preventDefault()}
        onClick={onBring}
      >
        <Icon of={ArchiveRestore} />
        Bring this passage back
      </Button>
    </div>
  );
}
