import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { StoreFault } from "@/events/log/store";

const maintained: string[] = [];
let marked: string[] = [];
/** What the database was asked to mark again, and whether it can be reached. */
const again: unknown[] = [];
let reached = true;
const rpc = async (name: string, { streams }: { streams?: string[] }) => {
  if (name === "take_upkeep") return { data: marked.splice(0), error: null, status: 200 };
  again.push(streams);
  return reached
    ? { data: null, error: null, status: 204 }
    : { data: null, error: { message: "fetch failed" }, status: 0 };
};
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({ rpc }) }));
vi.mock("./maintenance", () => ({
  maintain: async (document: string) => {
    if (document === "broken" || document === "gone") throw new Error(document);
    if (document.startsWith("busy")) throw new StoreFault("Too much is waiting to be done.", 503);
    maintained.push(document);
  },
}));
const { maintainMarked } = await import("./maintenance-runs");
// The files of a worker share their modules, and the next one wants the real ones.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("./maintenance");
  vi.resetModules();
});

beforeEach(() => {
  maintained.length = again.length = 0;
  reached = true;
});

it("[SEGMENT-6] a document that cannot be kept up holds none of the others up, and is told", async () => {
  marked = ["one", "broken", "two", "gone", "three"];
  const fault = await maintainMarked().catch((error: unknown) => error);
  expect(maintained).toEqual(["one", "two", "three"]);
  expect(fault instanceof AggregateError && fault.errors.map(String)).toEqual([
    "Error: broken",
    "Error: gone",
  ]);
  expect(again).toEqual([]);
});

it(
  "[SEGMENT-6] a document that cannot be kept up for now is marked again, once the " +
    "database can be reached",
  async () => {
    marked = ["one", "busy 1", "broken", "busy 2"];
    reached = false;
    await expect(maintainMarked()).rejects.toThrow("4 faults");
    expect([maintained, again]).toEqual([["one"], [["busy 1", "busy 2"]]]);
    await expect(maintainMarked()).rejects.toThrow("fetch failed");
    reached = true;
    expect(await maintainMarked()).toBe(0);
    expect(await maintainMarked()).toBe(0);
    expect(again).toEqual(Array.from({ length: 3 }, () => ["busy 1", "busy 2"]));
  },
);
