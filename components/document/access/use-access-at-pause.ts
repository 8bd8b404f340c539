"use client";

import { useEffect, useRef, useState } from "react";

type Access = "write" | "read" | "none";

/** The pause after the last letter, in ms, from which a person counts as not typing. */
const pause = 1_500;

/**
 * The remaining ms for which a person who typed at one moment still counts as typing at another.
 */
export const writesOnFor = (typedAt: number, now: number): number =>
  Math.max(0, typedAt + pause - now);

/**
 * The reader's access to a document, lowered only once they pause. Text typed until then belongs to
 * the document and is kept on the device; a sudden change would send its letters to whatever has
 * the focus.
 */
export function useAccessAtPause(access: Access): Access {
  const [shown, setShown] = useState(access);
  const typedAt = useRef(-Infinity);
  useEffect(() => {
    const note = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.isContentEditable)
        typedAt.current = performance.now();
    };
    addEventListener("beforeinput", note, { capture: true });
    return () => removeEventListener("beforeinput", note, { capture: true });
  }, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const left = access === "write" ? 0 : writesOnFor(typedAt.current, performance.now());
      if (left === 0) setShown(access);
      else timer = setTimeout(look, left);
    };
    look();
    return () => clearTimeout(timer);
  }, [access]);
  // A raise applies at once.
  return access === "write" || shown !== "write" ? access : shown;
}
