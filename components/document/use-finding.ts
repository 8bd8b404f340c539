import { useCallback, useState } from "react";
import type { FindAsked } from "@/components/editor/find/find-asked";

/** What was asked of the bar that finds words in the text; null while it is closed. */
export function useFinding(): [FindAsked | null, (what: FindAsked["what"] | null) => void] {
  const [asked, setAsked] = useState<FindAsked | null>(null);
  const ask = useCallback(
    (what: FindAsked["what"] | null) =>
      setAsked((before) => (what === null ? null : { what, nth: (before?.nth ?? 0) + 1 })),
    [],
  );
  return [asked, ask];
}
