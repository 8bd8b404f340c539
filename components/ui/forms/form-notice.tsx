"use client";

import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { Banner } from "../banner";

/** Shows the error of a whole form and focuses the first invalid field, if any. */
export function FormNotice({ problem, stamp }: { problem: string | null; stamp: number }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (stamp > 0)
      place.current?.closest("form")?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [stamp]);
  return (
    <div ref={place} hidden={!problem}>
      {problem && (
        <Banner tone="bad" icon={CircleAlert}>
          {problem}
        </Banner>
      )}
    </div>
  );
}
