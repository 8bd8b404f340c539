"use client";

import { useEffect, useRef } from "react";
import type { Subject } from "@/events/core/envelope";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import type { WorkspaceProposals } from "./workspace-proposals";

type Resume = (stream: Subject, events: readonly [OptimisticEvent, ...OptimisticEvent[]]) => void;

/**
 * Proposes again the proposals that closed tabs left unsent: at once, and whenever this may be the
 * only page left.
 */
export function useLeftProposals(proposals: WorkspaceProposals, resume: Resume): void {
  const latest = useRef(resume);
  useEffect(() => {
    latest.current = resume;
  });
  useEffect(() => {
    let left = false;
    const look = () =>
      void proposals.takeOver().then((found) => {
        for (const { stream, events } of found) if (!left) latest.current(stream, events);
      });
    const seen = () => document.visibilityState === "visible" && look();
    look();
    addEventListener("online", look);
    document.addEventListener("visibilitychange", seen);
    return () => {
      left = true;
      removeEventListener("online", look);
      document.removeEventListener("visibilitychange", seen);
    };
  }, [proposals]);
}
