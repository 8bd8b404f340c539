import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { StoreFault } from "@/events/log/store";

const maintained: string[] = [];
let marked: string[] = [];
/** The end of each mark, and whether the database can be reached. */
const ended: unknown[] = [];
let reached = true;
const takenAt = "2026-11-26T10:00:00.123+00:00";
type Named = { streams?: string[]; stream?: string; taken_at?: string };
const rpc = async (name: string, { streams = [], stream, taken_at }: Named) => {
  if (name === "take_upkeep")
    return { data: marked.splice(0).map((id) => ({ id, takenAt })), error: null, status: 200 };
  ended.push([name, ...streams, ...(stream ? [stream, taken_at] : []), maintained.length]);
  return reached
    ? { data: null, error: null, status: 204 }
    : { data: null, error: { message: "fetch failed" }, status: 0 };
};
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({ rpc }) }));
vi.mock("./maintenance", () => ({
  maintain: async (document: string) => {
    if (document === "broken" || document === "gone") throw new Error(document);
    if (document.startsWith("busy")) throw new StoreFault("Too many tasks are queued", 503);
    if (document === "occupied") return false;
    maintained.push(document);
    return true;
  },
}));
const { maintainMarked } = await import("./maintenance-runs");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("./maintenance");
  vi.resetModules();
});

beforeEach(() => {
  maintained.length = ended.length = 0;
  reached = true;
});

it("[SEGMENT-6] a document that fails does not hold up the others, and is reported", async () => {
  marked = ["one", "broken", "two", "gone", "three"];
  const fault = await maintainMarked().catch((error: unknown) => error);
  expect(maintained).toEqual(["one", "two", "three"]);
  expect(fault instanceof AggregateError && fault.errors.map(String)).toEqual([
    "Error: broken",
    "Error: gone",
  ]);
});

it(
  "[SEGMENT-6] settles the mark of a document that was maintained or cannot be, and marks " +
    "a busy one again",
  async () => {
    marked = ["one", "busy", "occupied", "broken", "two"];
    await expect(maintainMarked()).rejects.toThrow("2 items failed");
    // The last number counts the documents that had been maintained by then.
    expect(ended).toEqual([
      ["settle_upkeep", "one", takenAt, 1],
      ["mark_upkeep", "busy", 1],
      ["mark_upkeep", "occupied", 1],
      ["settle_upkeep", "broken", takenAt, 1],
      ["settle_upkeep", "two", takenAt, 2],
    ]);
  },
);

it("[SEGMENT-6] goes on when the database cannot be reached, and reports all faults", async () => {
  marked = ["one", "broken", "two"];
  reached = false;
  const fault = await maintainMarked().catch((error: unknown) => error);
  expect(maintained).toEqual(["one", "two"]);
  expect(fault instanceof AggregateError && fault.errors.map(String)).toEqual([
    "Error: broken",
    ...Array.from({ length: 3 }, () => "StoreFault: fetch failed"),
  ]);
  expect(await maintainMarked()).toBe(0);
});
