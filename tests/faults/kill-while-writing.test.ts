import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { databaseUrl } from "@/tests/support/product/backend";
import { killDatabase } from "@/tests/support/product/database-signal";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { RecoveryTimes } from "@/tests/support/product/recovery-times";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { WritingSession } from "@/tests/support/writers/writing-session";
import { meet } from "@/tests/support/writers/writers";
import { seed } from "./fault-seed";

const isSoak = process.env.SOAK === "1";
const names = ["Ana", "Ben", "Carol"];

/** The targets of `kill -9`. `start` is the product during its start after a kill. */
const victims = [
  "server",
  "everything",
  "first database process",
  "database child",
  "start",
] as const;
type Victim = (typeof victims)[number];
/**
 * Kills per round, where `start` counts twice. Killing a child costs no start of the product, which
 * takes more than a second of CPU time.
 */
const kills: Record<Victim, number> = {
  server: isSoak ? 3 : 2,
  everything: isSoak ? 3 : 2,
  "first database process": isSoak ? 2 : 1,
  "database child": isSoak ? 40 : 4,
  start: isSoak ? 2 : 1,
};
const killsOfRound = Object.values(kills).reduce((sum, count) => sum + count, kills.start);
// The soak makes 208 kills. Each round ends with a comparison of the log and the acknowledgements.
const length = Number(process.env.ROUNDS ?? (isSoak ? 4 : 1));
const rounds = Array.from({ length }, (_, round) => (seed + round) % 2 ** 31);

const patient = { timeout: 60_000, interval: 50 };

let stack: Stack;
let people: Person[];
const recovery = new RecoveryTimes();

beforeAll(async () => {
  stack = await startStack();
  people = await Promise.all(names.map((name) => signUp(stack, name)));
}, 300_000);

afterAll(async () => {
  recovery.print();
  for (const { client } of people ?? []) await client.realtime.disconnect();
  await stack?.dispose();
});

describe("a product that is killed while three people write", () => {
  it.for(rounds)(
    "[SYNC-2] [SYNC-3] [START-3] [START-24] [LOG-4] keeps all that it acknowledged, " +
      "and loses and doubles no letter (seed %i)",
    // Each kill is followed by a start, which takes half a minute on a busy machine.
    { timeout: 900_000 },
    async (seed) => {
      const random = seededRandom(seed);
      const documentId = await meet(people);
      const session = await WritingSession.open({
        url: stack.url,
        stack,
        people,
        documentId,
        random,
        restMs: 500,
      });
      const { acknowledgements } = session;
      const order = victims
        .flatMap((victim) => Array.from({ length: kills[victim] }, () => victim))
        .map((victim) => ({ victim, place: random.unit() }))
        .toSorted((one, other) => one.place - other.place);
      let [done, duringAppend, withUnsaved, orphans] = [0, 0, 0, 0];
      const opened = performance.now();
      session.start();
      for (const { victim } of order) {
        // Half of the kills wait for an append in flight, and the others happen at any time.
        if (random.chance(0.5)) await acknowledgements.nextSent();
        await delay(random.below(acknowledgements.unanswered > 0 ? 25 : 400));
        if (acknowledgements.unanswered > 0) duringAppend += 1;
        if (session.writers.some(({ live }) => live.sync.getSnapshot().context.pending > 0))
          withUnsaved += 1;
        const begun = performance.now();
        console.log(
          `${((begun - opened) / 1_000).toFixed(3)} s: ${victim}, at ${session.letters} letters, ` +
            `with ${acknowledgements.unanswered} appends on the way`,
        );
        const [place, isWaiting] = [random.unit(), random.chance(0.75)];
        done += await kill(victim, place, 100 + random.below(1_500));
        const heard = acknowledgements.next();
        if (victim !== "database child") {
          await recovery.measure(`kill -9 of ${victim}: ready`, stack.restart(), begun);
          if (stack.output().includes("Stopping the database server of an earlier run"))
            orphans += 1;
        }
        const first = recovery.measure(`kill -9 of ${victim}: first append`, heard, begun);
        if (isWaiting) await Promise.race([first, endsByItself()]);
      }
      await delay(500);
      await session.rest();
      await recovery.measure("the last kill: everybody has all", session.settled());
      const end = await session.check();
      console.log(JSON.stringify({ seed, done, duringAppend, withUnsaved, orphans, ...end }));
      await session.close();

      expect(end.faults).toEqual([]);
      expect(end.letters).toBeGreaterThan(order.length);
      expect(end.acknowledged).toBeGreaterThan(order.length / 2);
      expect(done).toBe(killsOfRound);
      // More than half of the kills hit an append. With ten, at most one does in one of 200 runs.
      expect(duringAppend).toBeGreaterThan(isSoak ? order.length / 10 : 0);
      expect(withUnsaved).toBeGreaterThan(0);
      expect(orphans).toBeGreaterThan(0);
    },
  );

  it("[START-24] reconnects to the database after one of its processes was killed", async () => {
    const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
    const rowsOf = (table: string) =>
      service(stack)
        .from(table)
        .select()
        .then(({ error }) => error);
    // A process that has just ended by itself does not count as killed, so another is chosen.
    while ((await killDatabase(stack, "child", 0.5)) === 0);
    // The first query fails and reveals the lost connection. The next query gets a new one.
    await expect
      .poll(
        () =>
          sql`select 1`.then(
            () => true,
            () => false,
          ),
        patient,
      )
      .toBe(true);
    const readiness = async () => (await fetch(`${stack.url}/ready`)).status;
    await expect.poll(readiness, patient).toBe(200);
    for (const table of ["first_table", "second_table"]) {
      // The server may notice the loss of a process after other processes have responded.
      await expect
        .poll(
          () =>
            sql`create table if not exists ${sql(table)} (id int primary key)`.then(
              () => true,
              () => false,
            ),
          patient,
        )
        .toBe(true);
      await sql`grant select on ${sql(table)} to service_role`;
      await sql`notify pgrst, 'reload schema'`;
      await expect.poll(() => rowsOf(table), patient).toBeNull();
    }
    await sql.end();
    expect(stack.output()).not.toMatch(/unhandledRejection|uncaughtException/);
  });
});

/** Rejects with the product's output if the product ends without a kill. */
async function endsByItself(): Promise<never> {
  const { output } = stack;
  await stack.ended();
  throw new Error(`The product has ended:\n${output().slice(-4_000)}`);
}

/** Whether the database server is up and has recovered. */
async function acceptsConnections(): Promise<boolean> {
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Kills the named target, and returns the number of kills. */
async function kill(victim: Victim, place: number, moment: number): Promise<number> {
  if (victim === "database child") {
    // The server exits if the process that recovers it from the previous kill is killed.
    await expect.poll(acceptsConnections, patient).toBe(true);
    // A process that has just ended by itself does not count as killed, so another is chosen.
    while ((await killDatabase(stack, "child", place)) === 0);
    return 1;
  }
  if (victim === "first database process") {
    await killDatabase(stack, "first");
    // The product reports the loss of its database, and exits by itself.
    expect(await stack.ended()).toBe(1);
    return 1;
  }
  if (victim === "everything") await killDatabase(stack, "all");
  await stack.kill();
  if (victim !== "start") return 1;
  const starting = stack.restart().catch(() => undefined);
  await delay(moment);
  await stack.kill();
  await starting;
  return 2;
}
