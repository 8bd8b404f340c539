import type { SupabaseClient } from "@supabase/supabase-js";
import { describe, expect, it } from "vitest";
import { limits } from "@/events/core/limits";
import { document, logOf, writing } from "./restricted/written-log.fixture";
import type { Packing } from "./restricted/written-log.fixture";
import { fold, loadOfDoc } from "./fold";
import type { FoldRequest } from "./fold";
import { rememberEnd } from "./present-task";
import { TooHeavy } from "./task";
import type { Tools } from "./task";

const growing = (sizes: number[]) =>
  writing((text) => sizes.forEach((size) => text.insert(0, "a".repeat(size))));

/** Returns sixteen rows, built once, that exceed the limits of a document. */
const tooMuch = (() => {
  let made: Packing[] | undefined;
  return () => (made ??= growing(Array.from({ length: 16 }, () => 5_000_000)));
})();

const tools = (more: Partial<Tools> = {}): Tools => ({
  isLate: () => false,
  progress: () => undefined,
  service: () => null,
  ...more,
});
const request: FoldRequest = { document, at: null, light: false };

describe("a bounded fold", () => {
  it("[LOG-56] stops at the size limit of a document, and reports the version", async () => {
    const { client } = logOf(tooMuch());
    const progress: number[] = [];
    const folded = await fold(
      client,
      request,
      tools({ progress: (version) => progress.push(version) }),
    );
    expect(folded).toMatchObject({ stoppedAt: 4, stoppedNow: true, late: false });
    expect(folded.confirmed.version).toBe(4);
    expect(loadOfDoc(folded.confirmed.doc).bytes).toBeLessThan(limits.document_bytes);
    // Unpacking stops as soon as the result is known.
    expect(Math.max(...progress)).toBeLessThan(13);
  });

  it("[LOG-56] does not stop for text that was deleted again", async () => {
    const rows = writing((text) => {
      for (let bytes = 0; bytes <= 2 * limits.document_bytes; bytes += 6_000_000) {
        text.insert(0, "a".repeat(6_000_000));
        text.delete(0, text.length);
      }
      text.insert(0, "words");
    });
    const folded = await fold(logOf(rows).client, request, tools());
    expect(folded).toMatchObject({ stoppedAt: null, stoppedNow: false });
    expect(folded.confirmed.doc.getXmlFragment("default").toString()).toBe(
      "<paragraph>words</paragraph>",
    );
  });

  it("[START-20] refuses a large document as light work", async () => {
    const { client } = logOf(growing([10, 6_000_000]));
    await expect(fold(client, { ...request, light: true }, tools())).rejects.toThrow(TooHeavy);
    const folded = await fold(
      logOf(growing([10, 20])).client,
      { ...request, light: true },
      tools(),
    );
    expect(folded.confirmed.version).toBe(3);
  });

  it("[START-20] returns what it has folded when its time ends", async () => {
    const rows = growing(Array.from({ length: 12 }, () => 10));
    const late = await fold(logOf(rows).client, request, tools({ isLate: () => true }));
    expect(late).toMatchObject({ late: true, stoppedAt: null });
    expect(late.confirmed.version).toBeLessThan(12);
    expect(late.confirmed.version).toBeGreaterThan(0);
  });

  it(
    "[LOG-56] reports the version before it folds on, and reports nothing " + "for an empty log",
    async () => {
      const progressed: number[] = [];
      const tellsFirst = tools({
        progress(version) {
          progressed.push(version);
          throw new Error("ended");
        },
      });
      await expect(fold(logOf(growing([10, 20])).client, request, tellsFirst)).rejects.toThrow(
        "ended",
      );
      expect(progressed).toEqual([1]);
      await fold(logOf([]).client, request, tellsFirst);
      expect(progressed).toEqual([1]);
    },
  );

  it.each([
    ["its size", Infinity, "write_load"],
    ["its time", 5, "write_stop"],
  ])("[LOG-56] records a stop for %s, also without a head", async (_, lateFrom, written) => {
    let reached = 0;
    const clock = {
      progress: (version: number) => void (reached = version),
      isLate: () => reached >= lateFrom,
    };
    const folded = await fold(logOf(tooMuch()).client, request, tools(clock));
    expect(folded).toMatchObject({ stoppedNow: true, stoppedAt: 4 });
    const calls: string[] = [];
    const client = {
      rpc: async (name: string) => (calls.push(name), { error: null, status: 200 }),
    } as unknown as SupabaseClient;
    await rememberEnd({ ...folded, head: null }, document, tools({ service: () => client }));
    expect(calls).toEqual([written]);
  });
});
