import { useCallback, useState } from "react";
import type { FindRequest } from "@/components/editor/find/find-request";

/** Returns the find bar's request, or null while the bar is closed, and its setter. */
export function useFinding(): [FindRequest | null, (what: FindRequest["what"] | null) => void] {
  const [request, setRequest] = useState<FindRequest | null>(null);
  const ask = useCallback(
    (what: FindRequest["what"] | null) =>
      setRequest((before) => (what === null ? null : { what, nth: (before?.nth ?? 0) + 1 })),
    [],
  );
  return [request, ask];
}
