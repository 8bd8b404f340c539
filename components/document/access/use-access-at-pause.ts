"use client";

import { useEffect, useRef, useState } from "react";

type Access = "write" | "read" | "none";

/** After so many milliseconds without a letter somebody is not in the middle of a sentence. */
const pause = 1_500;

/** For how many milliseconds somebody who typed at one moment still writes on at another. */
export const writesOnFor = (typedAt: number, now: number): number =>
  Math.max(0, typedAt + pause - now);

/**
 * What somebody may do in a document, lowered only once they pause: what they type until then belongs to the text and is
 * kept on the device, where otherwise its letters would go to whatever has the focus.
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
  // More than before is had at once.
  return access === "write" || shown !== "write" ? access : shown;
}
