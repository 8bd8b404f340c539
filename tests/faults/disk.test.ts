import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { newDataFolder } from "@/tests/support/product/data-folder";
import { databaseProcesses } from "@/tests/support/product/database-signal";
import {
  isRoot,
  limitFiles,
  mountSmallDisk,
  setReadOnly,
  unmount,
} from "@/tests/support/product/disk";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { RecoveryTimes } from "@/tests/support/product/recovery-times";
import { launch, startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { WritingSession } from "@/tests/support/writers/writing-session";
import { meet } from "@/tests/support/writers/writers";
import { seed } from "./fault-seed";

const recovery = new RecoveryTimes();

let folder: string;
let stack: Stack;
let people: Person[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-disk-"));
  // A separate disk can be filled and made read-only. Without root, a file limit and file modes
  // replace it.
  if (isRoot) await mountSmallDisk(folder, 200);
  const made = await newDataFolder();
  await promisify(execFile)("cp", ["-a", `${made}/.`, folder]);
  await rm(made, { recursive: true });
  stack = await startStack({ dataDir: folder });
  people = [await signUp(stack, "Ana"), await signUp(stack, "Ben")];
}, 300_000);

afterAll(async () => {
  recovery.print();
  for (const { client } of people ?? []) await client.realtime.disconnect();
  await stack?.stop();
  if (isRoot) await unmount(folder);
  await rm(folder, { recursive: true, force: true });
});

/** Fills the disk, and returns a function that frees the space. */
async function fillDisk(): Promise<() => Promise<void>> {
  const ballast = join(folder, "ballast");
  const file = await open(ballast, "w");
  for (const size of [1024 * 1024, 4096]) {
    const bytes = Buffer.alloc(size, 1);
    const isWritten = () =>
      file.write(bytes).then(
        () => true,
        () => false,
      );
    while (await isWritten());
  }
  await file.close();
  return () => rm(ballast);
}

const readiness = async (): Promise<unknown> => (await fetch(`${stack.url}/ready`)).json();

/** Lets two people write while `fault` affects the disk. Afterwards everything must be correct. */
async function during(what: string, fault: (session: WritingSession) => Promise<void>) {
  const random = seededRandom(seed);
  const documentId = await meet(people);
  const options = { url: stack.url, stack, people, documentId, random, restMs: 200 };
  const session = await WritingSession.open(options);
  session.start();
  await session.acknowledgements.next();
  await fault(session);
  await session.rest();
  await recovery.measure(`${what}: everybody has all`, session.settled());
  const end = await session.check();
  console.log(`${what}: ${JSON.stringify({ seed, ...end })}`);
  await session.close();
  expect(end.faults).toEqual([]);
}

describe("a full disk", () => {
  it("[START-26] stops the product if the database log cannot be written, and loses nothing", async () => {
    await during("no room for the database's log", async (session) => {
      await limitFiles(await databaseProcesses(stack), 8_192);
      expect(await stack.ended()).toBe(1);
      const typed = session.letters;
      expect(stack.output()).toContain("Nothing that was saved is lost; start again.");
      const heard = session.acknowledgements.next();
      const begun = performance.now();
      await stack.restart();
      await recovery.measure("no room for the database's log: first append", heard, begun);
      // The fault need not hit an append: another write that fails can end the server, too.
      expect(session.letters).toBeGreaterThan(typed);
    });
  });

  if (isRoot) {
    it("[START-26] [OPS-9] saves nothing and is not ready until there is room again", async () => {
      await during("full disk", async ({ acknowledgements }) => {
        const empty = await fillDisk();
        const { failed } = acknowledgements;
        await expect.poll(() => failed.length, { timeout: 60_000 }).toBeGreaterThan(3);
        await expect
          .poll(readiness)
          .toMatchObject({ status: "not ready", checks: { disk: "failed" } });
        await delay(2_000);
        await empty();
        await recovery.measure("full disk: first append", acknowledgements.next());
        await expect.poll(readiness).toMatchObject({ status: "ready" });
      });
    });
  } else console.log("Filling a disk needs one of its own: run this file as root for that.");
});

describe("a start on a read-only disk", () => {
  it("[START-26] [START-42] says so in a sentence, changes nothing, and works the next time", async () => {
    await stack.stop();
    await setReadOnly(folder, true);
    const run = launch({ port: stack.port, dataDir: folder });
    const code = await run.ended;
    await setReadOnly(folder, false);
    console.log(run.output());
    expect(code).toBe(1);
    expect(run.output()).toContain(`The data folder ${folder} cannot be`);
    expect(run.output()).toMatch(/its file system is read-only|permission denied/);
    expect(run.output()).not.toMatch(/EROFS|EACCES/);
    expect(run.output()).not.toContain("    at ");
    await stack.restart();
  });
});
