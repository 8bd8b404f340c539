import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { ChaosProxy } from "@/tests/support/product/chaos-proxy";
import type { Direction } from "@/tests/support/product/chaos-proxy";
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
  people = await Promise.all(["Ana", "Ben"].map((name) => signUp(stack, name)));
}, 300_000);

afterAll(async () => {
  recovery.print();
  for (const { client } of people ?? []) await client.realtime.disconnect();
  await stack?.dispose();
});

type Scene = {
  proxy: ChaosProxy;
  session: WritingSession;
  random: ReturnType<typeof seededRandom>;
};

/** Lets two people write through their own line while `fault` affects the line. */
async function through(
  what: string,
  fault: (scene: Scene) => Promise<void>,
  line: Partial<ChaosProxy["line"]> = {},
): Promise<ChaosProxy["counts"]> {
  const random = seededRandom(seed);
  const documentId = await meet(people);
  const proxy = await ChaosProxy.open(stack.port, seed);
  Object.assign(proxy.line, line);
  const opening = WritingSession.open({
    url: proxy.url,
    stack,
    people,
    documentId,
    random,
    restMs: 300,
  });
  if (line.delay !== undefined) await recovery.measure(`${what}: signed in and open`, opening);
  const session = await opening;
  session.start();
  await delay(1_000);
  await fault({ proxy, session, random });
  await session.rest();
  await recovery.measure(`${what}: everybody has all`, session.settled(240_000));
  const end = await session.check();
  console.log(`${what}: ${JSON.stringify({ seed, ...proxy.counts, ...end })}`);
  await session.close();
  await proxy.close();
  expect(end.faults).toEqual([]);
  expect(end.letters).toBeGreaterThan(10);
  expect(end.acknowledged).toBeGreaterThan(0);
  return proxy.counts;
}

// These tests mostly wait for timers, so they run concurrently.
describe.concurrent("two people writing over a bad network", () => {
  it(`[SYNC-2] [SYNC-3] lose nothing when their connections are cut (seed ${seed})`, async () => {
    const { cuts, cutsBeforeAnswer } = await through("cut connections", async (scene) => {
      const { proxy, random } = scene;
      for (let round = 0; round < (isSoak ? 120 : 10); round += 1) {
        await delay(300 + random.below(1_000));
        proxy.cut(0.7);
      }
    });
    expect(cuts).toBeGreaterThan(10);
    expect(cutsBeforeAnswer).toBeGreaterThan(0);
  });

  it(`[LOG-4] [SYNC-3] lose and double nothing when answers are lost (seed ${seed})`, async () => {
    const counts = await through("lost answers", async ({ proxy }) => {
      proxy.line.lostAnswers = 0.6;
      const enough = isSoak ? 100 : 5;
      await expect.poll(() => proxy.counts.lostAnswers, patient).toBeGreaterThanOrEqual(enough);
      proxy.line.lostAnswers = 0;
    });
    expect(counts.lostAnswers).toBeGreaterThan(0);
  });

  const ways: Direction[][] = isSoak ? [["up", "down"], ["up"], ["down"]] : [["up", "down"]];
  it.for(ways)(
    `[SYNC-18] [SYNC-32] lose nothing when connections die without a word: %s (seed ${seed})`,
    async (directions) => {
      const what = `half-open, ${directions.join(" and ")}`;
      const counts = await through(what, async ({ proxy, session }) => {
        // An append is in flight, which the client then has to give up.
        await session.acknowledgements.nextSent();
        proxy.halfOpen(...directions);
        const heard = session.acknowledgements.next();
        await recovery.measure(`${what}: next append`, heard);
        await delay(1_000);
      });
      expect(counts.halfOpened).toBeGreaterThan(0);
      expect(counts.swallowedBytes).toBeGreaterThan(0);
    },
  );

  it(`[SYNC-2] lose nothing at 50 kbit/s with 3 s there and back (seed ${seed})`, async () => {
    const slow = { bytesPerSecond: 50_000 / 8, delay: 1_500 };
    const what = "50 kbit/s, 3 s";
    const counts = await through(what, () => delay(isSoak ? 120_000 : 8_000), slow);
    expect(counts.connections).toBeGreaterThan(2);
  });
});

const patient = { timeout: 300_000, interval: 20 };
