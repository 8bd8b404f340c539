"use client";

import type { Editor } from "@tiptap/core";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { FindSession } from "./find-session";
import type { Found } from "./find-session";
import { clearHits, drawHits, scrollToHit } from "./hit-highlights";
import type { FindQuery } from "./hits";

const nothing: Found = { count: 0, at: 0 };

const isSame = (one: Found, other: Found) => one.count === other.count && one.at === other.at;

/**
 * Searches the text and highlights the hits while the component is mounted. The hits follow local
 * and remote edits.
 */
export function useFind(editor: Editor, query: FindQuery) {
  const [found, setFound] = useState(nothing);
  const session = useRef<FindSession | null>(null);
  const currentQuery = useEffectEvent(() => query);

  const show = useCallback(() => {
    const now = session.current;
    if (now === null || editor.isDestroyed) return;
    now.refresh();
    drawHits(editor.view, now.hits, now.current);
    setFound((before) => (isSame(before, now.found) ? before : now.found));
  }, [editor]);

  const goThere = useCallback(() => {
    const hit = session.current?.current ?? null;
    if (hit !== null && !editor.isDestroyed) scrollToHit(editor.view, hit);
    show();
  }, [editor, show]);

  useEffect(() => {
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(show);
    };
    session.current = new FindSession(editor, currentQuery(), soon);
    addEventListener("scroll", soon, { capture: true, passive: true });
    addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", soon, { capture: true });
      removeEventListener("resize", soon);
      session.current?.close();
      session.current = null;
      clearHits();
    };
  }, [editor, show]);

  const { words, matchCase, wholeWords } = query;
  useEffect(() => {
    session.current?.search({ words, matchCase, wholeWords });
    const frame = requestAnimationFrame(goThere);
    return () => cancelAnimationFrame(frame);
  }, [goThere, words, matchCase, wholeWords]);

  return {
    found,
    step: (by: 1 | -1) => {
      session.current?.step(by);
      goThere();
    },
    replace: (by: string) => {
      session.current?.replace(by);
      goThere();
    },
    replaceAll: (by: string) => {
      const count = session.current?.replaceAll(by) ?? 0;
      goThere();
      return count;
    },
    /** Returns the current hit. */
    current: () => session.current?.current ?? null,
  };
}
