import type { SupabaseClient } from "@supabase/supabase-js";
import { afterAll, expect, it, vi } from "vitest";

const [document, file] = [crypto.randomUUID(), crypto.randomUUID()];
/** The HTML by version. Null is the current text. */
const texts = new Map<number | null, string>();
let folded = 0;
let isFull = false;
vi.mock("@/app/_server/workers/workers", () => ({
  runFold: async (_task: string, { at }: { at: number | null }) => {
    folded += 1;
    if (isFull) throw new Error("Too many tasks are queued");
    return { html: texts.get(at) ?? "" };
  },
}));
vi.mock("@/events/read-models/document-rows", () => ({
  documentById: async () => ({ version: 9 }),
}));
vi.mock("@/events/read-models/version-rows", () => ({
  versionsOf: async () => [{ at: 7 }, { at: 4 }],
}));
const { isShown } = await import("./shown-files");
// Test files in a worker share modules, and the next file needs the real modules.
afterAll(() => {
  vi.doUnmock("@/app/_server/workers/workers");
  vi.doUnmock("@/events/read-models/document-rows");
  vi.doUnmock("@/events/read-models/version-rows");
  vi.resetModules();
});

const client = {} as SupabaseClient;
const asked = (redactedAt: number) =>
  isShown(client, client, "ana", { document, file, redactedAt });

it("[FILE-40] remembers which files a text shows until a redaction", async () => {
  texts.set(4, `<figure data-file="${file}"></figure>`);
  expect([await asked(0), folded]).toEqual([true, 3]);
  expect([await asked(0), folded]).toEqual([true, 3]);
  texts.clear();
  expect([await asked(10), folded]).toEqual([false, 6]);
});

it("[FILE-40] folds a text once for all images of a page, and again after a failure", async () => {
  const page = () => Promise.allSettled([asked(20), asked(20), asked(20)]);
  [folded, isFull] = [0, true];
  expect((await page()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(folded).toBe(1);
  [folded, isFull] = [0, false];
  await page();
  expect(folded).toBe(3);
});
