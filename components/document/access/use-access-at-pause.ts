"use client";

import { useEffect, useRef, useState } from "react";

type Access = "write" | "read" | "none";

/** The time after the last letter, in ms, after which a person counts as not typing. */
const pause = 1_500;

/** Returns for how many ms a person who typed at `typedAt` still counts as typing. */
export const writesOnFor = (typedAt: number, now: number): number =>
  Math.max(0, typedAt + pause - now);

/**
 * Returns the reader's access to a document, and lowers it only when they pause. Text typed until
 * then belongs to the document and is kept on the device. A sudden change would send the typed
 * letters to the next focused element.
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
  // Higher access applies at once.
  return access === "write" || shown !== "write" ? access : shown;
}
