import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { StoreFault } from "@/events/log/store";

const indexed: string[] = [];
const tried: string[] = [];
const settled: unknown[] = [];
let behind: { workspace: string; position: number; documents: string[] }[] = [];
let isBusy = false;
let waitedMs = 0;
let workedMs = 0;
const rpc = async (name: string, args: object) => {
  if (name === "read_unindexed") return { data: behind, error: null, status: 200 };
  if (name === "derive_by") return { data: false, error: null, status: 200 };
  settled.push(args);
  return { data: null, error: null, status: 204 };
};
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({ rpc }) }));
vi.mock("@/events/core/error-report", () => ({ reportError: () => undefined }));
vi.mock("@/app/_server/workers/workers", () => ({
  runIn: async (pool: string, _task: string, { document }: { document: string }) => {
    tried.push(document);
    if (pool !== "indexing") throw new Error(`indexed as ${pool}`);
    if (isBusy) throw new StoreFault("Too many tasks are queued", 503);
    if (document.startsWith("redacted")) throw new StoreFault("version-conflict", 409);
    if (document.startsWith("broken")) throw new Error(document);
    indexed.push(document);
    vi.setSystemTime(Date.now() + waitedMs);
    return workedMs;
  },
}));
const { indexChanged } = await import("./index-runs");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("@/events/core/error-report");
  vi.doUnmock("@/app/_server/workers/workers");
  vi.resetModules();
});

beforeEach(() => {
  indexed.length = settled.length = 0;
  isBusy = false;
  waitedMs = workedMs = 0;
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => void vi.useRealTimers());

it("[SEARCH-9] an unreadable document does not hold up the others", async () => {
  behind = [{ workspace: "w", position: 7, documents: ["one", "broken", "two"] }];
  expect(await indexChanged()).toBe(3);
  expect(indexed).toEqual(["one", "two"]);
  expect(settled).toEqual([{ workspace: "w", up_to: 7 }]);
});

it("[SEARCH-9] a passing fault leaves its own workspace unfinished, and no other", async () => {
  behind = [
    { workspace: "v", position: 3, documents: ["redacted", "three"] },
    { workspace: "w", position: 8, documents: [] },
  ];
  expect(await indexChanged()).toBe(1);
  expect(settled).toEqual([{ workspace: "w", up_to: 8 }]);
  isBusy = true;
  behind = [{ workspace: "v", position: 3, documents: ["four"] }];
  expect(await indexChanged()).toBe(0);
  expect(settled).toHaveLength(1);
});

it("[SEARCH-9] a document rests in proportion to its work, not to its wait for a thread", async () => {
  behind = [{ workspace: "w", position: 9, documents: ["small"] }];
  waitedMs = 20_000;
  workedMs = 40;
  await indexChanged();
  vi.setSystemTime(Date.now() + 1_000);
  await indexChanged();
  expect(indexed).toEqual(["small", "small"]);
  behind = [{ workspace: "w", position: 10, documents: ["large"] }];
  [waitedMs, workedMs] = [4_000, 4_000];
  await indexChanged();
  vi.setSystemTime(Date.now() + 19_000);
  await indexChanged();
  expect(indexed).toEqual(["small", "small", "large"]);
  vi.setSystemTime(Date.now() + 1_500);
  await indexChanged();
  expect(indexed).toEqual(["small", "small", "large", "large"]);
});

it("[SEARCH-9] a document that failed is tried again after ten minutes, not at once", async () => {
  behind = [{ workspace: "w", position: 11, documents: ["broken again", "three"] }];
  await indexChanged();
  expect(indexed).toEqual(["three"]);
  tried.length = 0;
  vi.setSystemTime(Date.now() + 590_000);
  behind = [{ workspace: "w", position: 12, documents: ["broken again"] }];
  await indexChanged();
  expect(tried).toEqual([]);
  vi.setSystemTime(Date.now() + 11_000);
  await indexChanged();
  expect(tried).toEqual(["broken again"]);
});
