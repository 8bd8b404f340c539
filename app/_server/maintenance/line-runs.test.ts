import { afterAll, expect, it, vi } from "vitest";
import { StoreFault } from "@/events/log/store";

const returned: unknown[] = [];
const faults = new Map([
  ["busy", new StoreFault("Too many tasks are queued", 503)],
  ["redacted", new StoreFault("version-conflict", 409)],
  ["refused", new StoreFault("unsupported Unicode escape sequence", 400)],
]);
const rpc = async (name: string, args: { documents?: string[]; failed?: string[] }) => {
  if (name === "take_stale_lines")
    return { data: ["refused", "busy", "redacted", "sound"], error: null, status: 200 };
  if (name === "derive_by") return { data: false, error: null, status: 200 };
  returned.push([args.documents, args.failed]);
  return { data: null, error: null, status: 204 };
};
const derived: string[] = [];
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({ rpc }) }));
vi.mock("@/app/_server/workers/workers", () => ({
  runIn: async (_class: string, _task: string, { document }: { document: string }) => {
    const fault = faults.get(document);
    if (fault) throw fault;
    derived.push(document);
  },
}));
const { deriveMarkedLines } = await import("./line-runs");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("@/app/_server/workers/workers");
  vi.resetModules();
});

it("[LINE-5] gives back documents with passing faults, and reports and counts lasting faults", async () => {
  await expect(deriveMarkedLines()).rejects.toThrow("unsupported Unicode escape sequence");
  expect([derived, returned]).toEqual([["sound"], [[["busy", "redacted"], ["refused"]]]]);
});
