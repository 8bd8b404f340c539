import { expect, it, vi } from "vitest";

const owners: string[] = [];
const seals: boolean[] = [];
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({}) }));
vi.mock("@/app/_server/workers/workers", () => ({
  runIn: async (
    _taskClass: string,
    _task: string,
    { document, seal }: { document: string; seal: boolean },
    { owner }: { owner: string },
  ) => {
    owners.push(owner);
    if (document === "broken") seals.push(seal);
    return { broken: seal && document === "broken" };
  },
}));
const { keepUp, buildSegmentsLater } = await import("./maintenance");

it("[START-21] what a page brings about has its turn among what the same person asks for, and nobody else waits for it", async () => {
  await keepUp("one", "reader", "mallory");
  await buildSegmentsLater("one", "ana");
  await keepUp("one", "eager");
  expect(owners).toEqual(["mallory", "ana", "upkeep"]);
});

it("[SEGMENT-9] a log that could not be sealed is tried again after an hour, for it may have been mended", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    await keepUp("broken");
    await keepUp("broken");
    vi.setSystemTime(Date.now() + 3_600_001);
    await keepUp("broken");
    await keepUp("broken");
    expect(seals).toEqual([true, false, true, false]);
  } finally {
    vi.useRealTimers();
  }
});
