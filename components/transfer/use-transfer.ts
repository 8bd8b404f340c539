"use client";

import { useMachine } from "@xstate/react";
import { useEffect, useRef } from "react";
import { transferMachine } from "@/machines/transfer/transfer";
import type { Progress, Work } from "@/machines/transfer/transfer";

type TransferView = {
  phase: "idle" | "running" | "done" | "failed" | "cancelled";
  progress: Progress;
  fault: unknown;
  start: () => void;
  cancel: () => void;
};

/** Runs a long task of this page. Leaving the page cancels the task. `onDone` is called once. */
export function useTransfer(work: Work, onDone: () => void): TransferView {
  const [snapshot, send, actor] = useMachine(transferMachine, { input: { work } });
  const latestOnDone = useRef(onDone);
  useEffect(() => {
    latestOnDone.current = onDone;
  }, [onDone]);
  useEffect(() => {
    const { unsubscribe } = actor.subscribe((now) => {
      if (now.matches("done")) latestOnDone.current();
    });
    return () => unsubscribe();
  }, [actor]);
  return {
    phase: snapshot.value,
    progress: snapshot.context.progress,
    fault: snapshot.context.fault,
    start: () => send({ type: "start" }),
    cancel: () => send({ type: "cancel" }),
  };
}
