import { describe, expect, it } from "vitest";
import type { Proposal } from "@/events/core/envelope";
import type { Appended } from "@/events/log/store";
import { appendImport } from "./importing";

const document = "00000000-0000-4000-8000-00000000000a";
const body = {
  version: 1,
  type: "document.edited",
  subject: null,
  phase: "live",
  author: 0,
  kept: "{}",
  text: "",
};
const step = (index: number): Proposal => ({
  id: `step ${index}`,
  type: "document.step_imported",
  body,
});
const appends: Proposal[][] = [
  [{ id: "begin", type: "document.created", body: { workspaceId: document, title: "" } }],
  [step(1), step(2)],
  [step(3)],
];

/**
 * Runs the import and cancels it after `after` answers. `refused` is the type that the log refuses.
 */
async function imported({ after = Number.POSITIVE_INFINITY, refused = "" }) {
  const log: { type: string; expected: number | null }[] = [];
  const progress: number[] = [];
  const control = new AbortController();
  let answers = 0;
  const append = async (
    _: string,
    expected: number | null,
    proposals: Proposal[],
  ): Promise<Appended> => {
    answers += 1;
    if (answers > after) control.abort();
    if (proposals.some(({ type }) => type === refused))
      return { ok: false, refusal: { name: "not-permitted", detail: "" } };
    log.push(...proposals.map(({ type }) => ({ type, expected })));
    return { ok: true, rulings: [] };
  };
  if (after === 0) control.abort();
  const outcome = await appendImport(
    { document, appends, done: 0 },
    { append, signal: control.signal, newId: () => "trash", onDone: (done) => progress.push(done) },
  );
  return { outcome, types: log.map(({ type }) => type), progress };
}

describe("an import", () => {
  it("[IMPORT-2] runs request by request, and reports its progress", async () => {
    const { outcome, types, progress } = await imported({});
    expect(outcome).toEqual({ state: "whole" });
    expect(types).toEqual([
      "document.created",
      ...Array.from({ length: 3 }, () => "document.step_imported"),
    ]);
    expect(progress).toEqual([1, 2, 3]);
  });

  it("[IMPORT-11] stops when cancelled, and moves its document to the trash", async () => {
    // Cancelled while the second request is in transit.
    const { outcome, types } = await imported({ after: 1 });
    expect(outcome).toEqual({ state: "cancelled", left: false });
    expect(types).toEqual([
      "document.created",
      "document.step_imported",
      "document.step_imported",
      "document.trashed",
    ]);
  });

  it(
    "[IMPORT-11] moves its document to the trash when cancelled at its very end, and " +
      "records nothing when cancelled before it begins",
    async () => {
      expect((await imported({ after: 2 })).types.at(-1)).toBe("document.trashed");
      expect(await imported({ after: 0 })).toEqual({
        outcome: { state: "cancelled", left: false },
        types: [],
        progress: [],
      });
    },
  );

  it("[IMPORT-11] reports a cancelled document that could not be moved to the trash", async () => {
    expect((await imported({ after: 1, refused: "document.trashed" })).outcome).toEqual({
      state: "cancelled",
      left: true,
    });
  });

  it("[IMPORT-2] reports how far it came when refused, and keeps its document", async () => {
    const { outcome, types } = await imported({ refused: "document.step_imported" });
    expect(outcome).toEqual({
      state: "refused",
      refusal: { name: "not-permitted", detail: "" },
      done: 1,
    });
    expect(types).toEqual(["document.created"]);
  });
});
