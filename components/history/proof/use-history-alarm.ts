"use client";

import { useCallback, useSyncExternalStore } from "react";
import type { Backend } from "@/events/backend/backend";
import type { Alarm } from "@/events/device/history-watch";

const never = () => () => {};

/**
 * Whether the log's history of a stream is another than this browser has seen; null as long as
 * nothing speaks for it.
 */
export function useHistoryAlarm(
  backend: Pick<Backend, "history"> | null,
  stream: string,
): Alarm | null {
  const alarm = useCallback(() => backend?.history.alarmOf(stream) ?? null, [backend, stream]);
  return useSyncExternalStore(backend?.history.subscribe ?? never, alarm, () => null);
}
