import { describe, expect, it } from "vitest";
import type { Proposal } from "@/events/core/envelope";
import type { Refusal } from "@/events/log/refusal";
import type { Appended } from "@/events/log/store";
import { restoreFiles } from "./restored-files";
import type { RestoredFile } from "./restored-files";

const document = "00000000-0000-4000-8000-00000000000a";
const files = ["one", "two", "three"].map((file): RestoredFile => ({
  file,
  event: `event ${file}`,
  bytes: new Uint8Array(3),
  body: { sha256: file, bytes: 3, name: file, type: "image/png", width: 1, height: 1 },
}));
const missing: Refusal = { name: "invalid-event", reason: "file-missing", detail: "" };

type Answers = {
  refusals?: Record<string, Refusal>;
  why?: string;
  abortAt?: string;
  from?: number;
};

async function restored({ refusals = {}, why, abortAt, from = 0 }: Answers) {
  const log: string[] = [];
  const control = new AbortController();
  const append = async (_: string, __: number | null, [one]: Proposal[]): Promise<Appended> => {
    const refusal = refusals[one?.subject?.id ?? ""];
    if (refusal) return { ok: false, refusal };
    log.push(one?.type === "file.attached" ? `${one.id}` : `${one?.type}`);
    return { ok: true, rulings: [] };
  };
  const send = async ({ file }: RestoredFile) => {
    if (file === abortAt) control.abort();
    else if (why === undefined) log.push(`sent ${file}`);
    return why ?? null;
  };
  const done: number[] = [];
  const outcome = await restoreFiles(
    document,
    { files, from },
    { append, send, signal: control.signal, newId: () => "trash", onDone: (now) => done.push(now) },
  );
  return { outcome, log, done };
}

describe("the files of an import", () => {
  it("[IMPORT-12] are restored one after the other, and stored ones are not sent again", async () => {
    expect(await restored({ refusals: { two: missing } })).toEqual({
      outcome: { state: "whole" },
      log: ["event one", "sent two", "event three"],
      done: [1, 2, 3],
    });
  });

  it("[IMPORT-12] continue where they stopped", async () => {
    expect((await restored({ from: 2 })).log).toEqual(["event three"]);
  });

  it("[IMPORT-12] stop at a refused file, with the reason", async () => {
    const full = await restored({ refusals: { two: missing }, why: "There is no room." });
    expect(full).toEqual({
      outcome: { state: "refused", refusal: "There is no room." },
      log: ["event one"],
      done: [1],
    });
    const refusal: Refusal = { name: "not-permitted", detail: "" };
    expect((await restored({ refusals: { one: refusal } })).outcome).toEqual({
      state: "refused",
      refusal,
    });
  });

  it("[IMPORT-11] [IMPORT-12] take their document to the trash when cancelled", async () => {
    expect(await restored({ refusals: { two: missing }, abortAt: "two" })).toEqual({
      outcome: { state: "cancelled", left: false },
      log: ["event one", "document.trashed"],
      done: [1],
    });
  });
});
