import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { BareTab } from "@/tests/support/writers/bare-tabs";
import { isTogether, openCrowd } from "@/tests/support/writers/crowd";
import {
  connectionProcesses,
  killDatabase,
  signalDatabase,
} from "@/tests/support/product/database-signal";
import { textblockOf } from "@/tests/support/line";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { RecoveryTimes } from "@/tests/support/product/recovery-times";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { WritingSession } from "@/tests/support/writers/writing-session";
import { meet } from "@/tests/support/writers/writers";
import { seed } from "./fault-seed";

const isSoak = process.env.SOAK === "1";
const recovery = new RecoveryTimes();

let stack: Stack;
let people: Person[];

beforeAll(async () => {
  stack = await startStack();
  people = await Promise.all(["Ana", "Ben", "Carol", "Dan"].map((name) => signUp(stack, name)));
}, 300_000);

afterAll(async () => {
  recovery.print();
  for (const { client } of people ?? []) await client.realtime.disconnect();
  await stack?.dispose();
});

type Signal = (signal: "SIGSTOP" | "SIGCONT") => Promise<void>;
type Paused = { what: string; signal: Signal };
const server: Paused = { what: "the server", signal: async (signal) => stack.signal(signal) };
// tests/stack/silent-database.test.ts pauses the database, too.
const database: Paused = {
  what: "the database",
  signal: (signal) => signalDatabase(stack, signal),
};

describe("a product that pauses and resumes while two people write", () => {
  const pauses = isSoak ? [10, 30, 60] : [10];
  const cases = pauses.flatMap((seconds) =>
    (isSoak ? [server, database] : [server]).map((paused) => ({ ...paused, seconds })),
  );
  it.for(cases)(
    `[SYNC-3] [SYNC-14] [SYNC-32] keeps all: $what, for $seconds s (seed ${seed})`,
    async ({ what, seconds, signal }) => {
      const two = people.slice(0, 2);
      const documentId = await meet(two);
      const random = seededRandom(seed);
      const options = { url: stack.url, stack, people: two, documentId, random, restMs: 500 };
      const session = await WritingSession.open(options);
      session.start();
      await session.acknowledgements.next();
      await session.acknowledgements.nextSent();
      session.labels.clear();
      await signal("SIGSTOP");
      await delay(seconds * 1_000);
      const labels = Object.fromEntries(session.labels);
      await signal("SIGCONT");
      const name = `${what} stopped for ${seconds} s`;
      await recovery.measure(`${name}: next append`, session.acknowledgements.next());
      await session.rest();
      await recovery.measure(`${name}: everybody has all`, session.settled());
      const end = await session.check();
      console.log(`${name}: ${JSON.stringify({ seed, labels, ...end })}`);
      await session.close();
      expect(end.faults).toEqual([]);
      // The writer sees that the text is not saved yet, and later the reason.
      expect(Object.keys(labels)).toContain("Saving…");
      expect(Object.keys(labels)).not.toContain("Saved");
      if (seconds >= 30) expect(Object.keys(labels)).toContain("Not saved");
    },
  );
});

describe("a database server whose postmaster was killed", () => {
  it("[START-25] leaves no process that still writes when the next one starts", async () => {
    const [connection = 0] = await connectionProcesses(stack);
    const isThere = () =>
      readFile(`/proc/${connection}/stat`, "utf8").then(
        (text) => !/\) [ZX] /.test(text),
        () => false,
      );
    // A busy connection process does not notice the end of the postmaster, nor does a stopped one.
    process.kill(connection, "SIGSTOP");
    onTestFinished(async () => {
      if (await isThere()) process.kill(connection, "SIGKILL");
    });
    await killDatabase(stack, "first");
    expect(await stack.ended()).toBe(1);
    expect(await isThere()).toBe(true);
    await stack.restart();
    expect(await isThere()).toBe(false);
    expect(stack.output()).toContain("Stopping what is left of the database server");
  });
});

const [pages, crowd] = isSoak ? [20, 300] : [10, 20];

describe(`${crowd} tabs that have a document open`, () => {
  it("[START-8] [SYNC-10] all reconnect at once after a restart, with all text", async () => {
    const documentId = await meet(people);
    const tabs = await openCrowd(stack, people, documentId, pages);
    const bare = Array.from({ length: crowd - pages }, (_, at) => {
      const person = people[at % people.length];
      if (!person) throw new Error("There are no people");
      return new BareTab(stack.url, stack.keys.publishableKey, person, documentId);
    });
    const newest = () => Math.max(...tabs.map(({ live }) => live.version));
    const areAllBack = async (most: number) => {
      await isTogether(tabs, most);
      await expect
        .poll(() => bare.filter(({ version }) => version !== newest()).length, { timeout: most })
        .toBe(0);
    };
    await areAllBack(120_000);
    await stack.kill();
    const written = "written meanwhile";
    for (const { live } of tabs.slice(0, 3)) textblockOf(live.doc).insert(0, written);
    await stack.restart();
    await recovery.measure(`restart: ${crowd} tabs together`, areAllBack(240_000));
    const texts = new Set(tabs.map(({ live }) => live.fragment.toString()));
    for (const tab of bare) tab.close();
    await Promise.all(tabs.map(({ live }) => live.close()));
    for (const { person } of tabs) await person.client.realtime.disconnect();
    expect([...texts]).toHaveLength(1);
    expect([...texts].join("").split(written)).toHaveLength(4);
  });
});
