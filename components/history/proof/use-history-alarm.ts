"use client";

import { useCallback, useSyncExternalStore } from "react";
import type { Backend } from "@/events/backend/backend";
import type { Alarm } from "@/events/device/history-watch";

const never = () => () => {};

/**
 * Returns the alarm that a stream's history differs from the history that this browser has seen.
 * Null without evidence.
 */
export function useHistoryAlarm(
  backend: Pick<Backend, "history"> | null,
  stream: string,
): Alarm | null {
  const alarm = useCallback(() => backend?.history.alarmOf(stream) ?? null, [backend, stream]);
  return useSyncExternalStore(backend?.history.subscribe ?? never, alarm, () => null);
}
