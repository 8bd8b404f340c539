import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, it, vi } from "vitest";

const foundIn = (document: string, workspace: string) => ({ document, workspace, open: true });
vi.mock("@/events/read-models/found-files", () => ({
  findFile: async () => [foundIn("first", "theirs"), foundIn("second", "ours")],
}));
const { readableFile } = await import("./readable-file");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/events/read-models/found-files");
  vi.resetModules();
});

it("[FILE-40] a file is found in the requested workspace only", async () => {
  const client = {} as SupabaseClient;
  const foundFor = async (workspace: string | null) =>
    (await readableFile(client, client, "ana", { file: "f", workspace }))?.document;
  expect([await foundFor(null), await foundFor("ours"), await foundFor("none")]).toEqual([
    "first",
    "second",
    undefined,
  ]);
});
