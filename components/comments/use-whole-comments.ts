"use client";

import { useEffect, useState } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { retried } from "@/events/core/retried";
import { StoreFault } from "@/events/log/store";
import { restrictedComments } from "@/machines/restricted-comments";
import type { RestrictedComments } from "@/machines/restricted-comments";
import { reportUnexpected } from "@/components/ui/failure-words";

async function read(documentId: string): Promise<RestrictedComments | "none"> {
  const answer = await fetch(`/d/${documentId}/comments`).catch(() => null);
  // After a 404 the next server-rendered page explains the reason.
  if (answer?.status === 404) return "none";
  if (!answer?.ok) throw new StoreFault("the comments could not be loaded", answer?.status ?? 0);
  return restrictedComments.parse(await answer.json());
}

/**
 * Returns all comments on a text whose server-rendered page has only the newest threads. All
 * comments are fetched when the page is live and again with each newer page. Until then, the
 * earlier comments are shown.
 */
export function useWholeComments(
  documentId: string,
  first: RestrictedComments | null,
): RestrictedComments | null {
  const [whole, setWhole] = useState<RestrictedComments | null>(null);
  const isPart = first !== null && !first.isWhole;
  const version = first?.version;
  useEffect(() => {
    if (!isPart) return;
    return retried({
      clock: systemClock,
      random: systemRandom,
      work: () => read(documentId),
      done: (answer) => {
        setWhole(answer === "none" ? null : answer);
      },
      failed: reportUnexpected,
    });
  }, [documentId, isPart, version]);
  return isPart ? (whole ?? first) : first;
}
