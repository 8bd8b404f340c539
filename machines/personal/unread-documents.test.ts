import { expect, it } from "vitest";
import { unreadDocuments } from "./unread-documents";

const row = (id: string, version: number, updatedBy = "ben", minute = 30) => ({
  id,
  version,
  updatedBy,
  updatedAt: `2026-11-24T10:${minute}:00.5+00:00`,
});
const unread = (rows: ReturnType<typeof row>[], seen: Record<string, number> = {}) =>
  Object.fromEntries(
    unreadDocuments(rows, "ana", "2026-11-24T10:20:00+00:00", (id) => seen[id] ?? 0),
  );

it("[HOME-3] documents that another person changed after the read version are unread", () => {
  expect(
    unread([row("read", 4), row("changed", 5), row("new", 2)], { read: 4, changed: 3 }),
  ).toEqual({ changed: 3, new: 0 });
});

it("[HOME-3] the reader's own changes, and those before everything was read, are not unread", () => {
  expect(unread([row("own", 5, "ana"), row("old", 5, "ben", 10)])).toEqual({});
});
