import { expect, it, vi } from "vitest";

const owners: string[] = [];
vi.mock("@/supabase/server", () => ({ serviceClient: () => ({}) }));
vi.mock("@/app/_server/workers/workers", () => ({
  runIn: async (_lane: string, _task: string, _input: unknown, { owner }: { owner: string }) => {
    owners.push(owner);
    return { broken: false };
  },
}));
const { keepUp, sealLater } = await import("./maintenance");

it("[START-21] what a page brings about has its turn among what the same person asks for, and nobody else waits for it", async () => {
  await keepUp("one", "reader", "mallory");
  await sealLater("one", "ana");
  await keepUp("one", "eager");
  expect(owners).toEqual(["mallory", "ana", "upkeep"]);
});
