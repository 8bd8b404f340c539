import { expect, it } from "vitest";
import type { ChangeLine } from "@/events/read-models/change-lines";
import { newestLine } from "./newest-line";

const line: ChangeLine = {
  documentId: "d",
  actorId: "ben",
  from: 3,
  to: 5,
  began: "2026-11-24T10:00:00Z",
  at: "2026-11-24T10:05:00Z",
  added: 1,
  removed: 0,
  changes: 1,
  parts: [],
};
const edited = (minute: number) => ({
  type: "document.edited",
  at: `2026-11-24T10:${minute}:00Z`,
});

it("[HOME-9] returns the last line if it reaches the version or its author keeps writing", () => {
  expect(newestLine([line], 5, "ben", edited(20))).toBe(line);
  expect(newestLine([line], 7, "ben", edited(20))).toBe(line);
});

it("[HOME-9] returns null for later changes", () => {
  expect(newestLine([], 5, "ben", undefined)).toBeNull();
  expect(newestLine([line], 7, "carol", edited(20))).toBeNull();
  expect(newestLine([line], 7, "ben", edited(50))).toBeNull();
  expect(newestLine([line], 7, "ben", { ...edited(20), type: "document.trashed" })).toBeNull();
});
