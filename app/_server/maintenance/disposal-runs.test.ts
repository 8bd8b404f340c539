import { afterAll, beforeEach, expect, it, vi } from "vitest";
import { StoreFault } from "@/events/log/store";

const fileOf = (sha256: string) => ({
  bucket: "files",
  names: [`w/${sha256}`],
  workspace: "w",
  sha256,
  takenAt: "2026-11-24T10:00:00Z",
  orphaned: false,
});
const uploadOf = (name: string) => ({
  bucket: "uploads",
  names: [name],
  workspace: null,
  sha256: null,
  takenAt: null,
  orphaned: true,
});
const all = [uploadOf("stuck"), fileOf("failing"), fileOf("taken"), fileOf("own"), uploadOf("old")];
let removed: string[] = [];
let forgotten: unknown[] = [];
const rpc = async (name: string, args: { sha256?: string; taken_at?: string }) => {
  if (name === "forget_disposed") forgotten.push([args.sha256, args.taken_at]);
  const answers: Record<string, unknown> = {
    read_disposable: all,
    may_dispose: args.sha256 !== "taken",
  };
  return { data: answers[name] ?? null, error: null, status: 200 };
};
/** The duration of removing an object, in milliseconds. */
let takes = 0;
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({ rpc }) }));
vi.mock("@/app/_server/files/stored-files", () => ({
  removeObjects: async (_service: unknown, _bucket: string, names: string[]) => {
    vi.advanceTimersByTime(takes);
    const [name = ""] = names;
    if (name === "stuck" || name === "w/failing") throw new StoreFault(`${name} stays`, 500);
    removed.push(name);
  },
}));
const { disposeFiles } = await import("./disposal-runs");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("@/app/_server/files/stored-files");
  vi.resetModules();
  vi.useRealTimers();
});
beforeEach(() => {
  vi.useFakeTimers();
  [removed, forgotten, takes] = [[], [], 0];
});

it("[FILE-16] deletes the files that it still holds though others fail, and reports those", async () => {
  const fault = await disposeFiles().catch((error: unknown) => error);
  expect([removed, forgotten]).toEqual([["w/own", "old"], [["own", "2026-11-24T10:00:00Z"]]]);
  expect(fault instanceof AggregateError && fault.errors.map(String)).toEqual([
    "StoreFault: stuck stays",
    "StoreFault: w/failing stays",
  ]);
});

it("[FILE-16] stops before another run may take its files", async () => {
  takes = 70_000;
  await disposeFiles().catch(() => undefined);
  expect([removed, forgotten.length]).toEqual([["w/own"], 1]);
});
