import { afterAll, expect, it, vi } from "vitest";

const owners: string[] = [];
const builds: boolean[] = [];
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({}) }));
vi.mock("@/app/_server/workers/workers", () => ({
  runIn: async (
    _taskClass: string,
    _task: string,
    { document, withSegments }: { document: string; withSegments: boolean },
    { owner }: { owner: string },
  ) => {
    owners.push(owner);
    if (document === "broken") builds.push(withSegments);
    return { broken: withSegments && document === "broken" };
  },
}));
const { maintain, buildSegmentsLater } = await import("./maintenance");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/supabase/server");
  vi.doUnmock("@/app/_server/workers/workers");
  vi.resetModules();
});

it(
  "[START-21] queues work that a page causes under its reader, and " +
    "other work under maintenance",
  async () => {
    await maintain("one", "reader", "mallory");
    await buildSegmentsLater("one", "ana");
    await maintain("one", "eager");
    expect(owners).toEqual(["mallory", "ana", "maintenance"]);
  },
);

it("[SEGMENT-9] a log that could not be packed is tried again after an hour", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await maintain("broken");
    await maintain("broken");
    vi.setSystemTime(Date.now() + 3_600_001);
    await maintain("broken");
    await maintain("broken");
    expect(builds).toEqual([true, false, true, false]);
  } finally {
    vi.useRealTimers();
  }
});
