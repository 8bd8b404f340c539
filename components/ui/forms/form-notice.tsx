"use client";

import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { Banner } from "../banner";

/** What is wrong with a form as a whole; it takes the focus to the first field that is wrong, if one is. */
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
