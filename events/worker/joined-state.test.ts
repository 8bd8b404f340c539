import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { CopyJobs } from "./copy-jobs";
import type { CopyMessage } from "./copy-jobs";
import { fakeWorker } from "./fake-worker.fixture";
import { joinBeside } from "./joined-state";
import { RemoteJobs } from "./remote-jobs";

function parts() {
  const doc = new Y.Doc();
  doc.getText("t").insert(0, "kept ");
  const state = Y.encodeStateAsUpdate(doc);
  const since: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => since.push(update));
  doc.getText("t").insert(5, "secret");
  doc.getText("t").delete(5, 6);
  return { doc, parts: { version: 3, state, since } };
}

describe("a device copy made in a worker", () => {
  it("[OFFLINE-26] equals the state that the page would encode, and leaves the page its parts", async () => {
    const { doc, parts: given } = parts();
    const jobs = new RemoteJobs<CopyMessage>(() => fakeWorker({ jobs: new CopyJobs() }));
    for (let times = 0; times < 2; times += 1)
      expect(await joinBeside(given, jobs)).toEqual(Y.encodeStateAsUpdate(doc));
  });

  it.each([
    ["no worker starts", { version: 1, state: new Uint8Array([0, 0]) }, false],
    ["it cannot read its parts", { version: 1, state: new Uint8Array([7]) }, true],
  ])("[OFFLINE-26] is left to the page where %s", async (_why, given, starts) => {
    const jobs = new RemoteJobs<CopyMessage>(() => {
      if (starts) return fakeWorker({ jobs: new CopyJobs() });
      throw new Error("refused by the policy");
    });
    expect(await joinBeside(given, jobs)).toBeNull();
  });
});
