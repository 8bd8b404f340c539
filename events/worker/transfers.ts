import type { TimelineData } from "@/events/history/timeline/timeline";

function ownBuffers(columns: object): ArrayBuffer[] {
  return Object.values(columns).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : [],
  );
}

function isTimelineData(value: unknown): value is TimelineData {
  return (
    typeof value === "object" &&
    value !== null &&
    "historyText" in value &&
    "revisions" in value &&
    "rhythm" in value
  );
}

/** Returns the buffers of an answer that can be transferred instead of copied. */
export function transfersOf(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
  if (typeof value === "object" && value !== null && "timeline" in value)
    return transfersOf(value.timeline);
  if (!isTimelineData(value)) return [];
  const { historyText, revisions, rhythm } = value;
  const parts = [
    historyText,
    historyText.runs,
    historyText.structuralTokens,
    historyText.blocks,
    revisions,
    rhythm,
    rhythm.pauses,
  ];
  return [...new Set(parts.flatMap(ownBuffers))];
}
