import { useCallback, useState } from "react";
import type { FindRequest } from "@/components/editor/find/find-request";

/** The request of the find bar; null while it is closed. */
export function useFinding(): [FindRequest | null, (what: FindRequest["what"] | null) => void] {
  const [request, setRequest] = useState<FindRequest | null>(null);
  const ask = useCallback(
    (what: FindRequest["what"] | null) =>
      setRequest((before) => (what === null ? null : { what, nth: (before?.nth ?? 0) + 1 })),
    [],
  );
  return [request, ask];
}
