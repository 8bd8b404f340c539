import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { afterEach, describe, expect, it } from "vitest";
import { WorkerPool } from "./worker-pool";
import type { TaskClass } from "./worker-pool";

// A worker that follows a test's request: returns its thread, reports progress, loops endlessly,
// fills its memory, or exits.
const script = join(mkdtempSync(join(tmpdir(), "palimpsest-pool-")), "worker.cjs");
writeFileSync(
  script,
  `const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', ({ input, softMs }) => {
    if (input === 'exit') process.exit(3)
    if (input === 'throw') throw new Error('broken')
    if (input === 'fault') return parentPort.postMessage({ fault: { name: 'TooHeavy', message: '', status: null } })
    if (input === 'wait') return
    if (input === 'turn' || input === 'slow') parentPort.postMessage({ thread: 'own', processorMs: 5 })
    const end = Date.now() + 1000
    while (input === 'slow' && Date.now() < end);
    if (input === 'turn' || input === 'fill') parentPort.postMessage({ progress: 7 })
    if (input === 'fill') for (const kept = []; ; ) kept.push(new Array(10000).fill({}).map(() => ({})))
    while (input === 'turn');
    parentPort.postMessage({ output: { threadId, softMs, input } })
  })`,
);

const spacious: TaskClass = {
  workers: 1,
  hardMs: 60_000,
  softMs: 5,
  megabytes: 64,
  waiting: 100,
  niceness: 0,
};
const pools: WorkerPool[] = [];
function pool(
  taskClass: Partial<TaskClass> = {},
  clock: (thread: string) => number | null = () => null,
): WorkerPool {
  const made = new WorkerPool(script, { ...spacious, ...taskClass }, clock);
  pools.push(made);
  return made;
}
afterEach(() => Promise.all(pools.splice(0).map((each) => each.close())));
const ask = (input: unknown) => ({ task: "present", input, access: "service" }) as const;

describe("a pool of workers", () => {
  it("[START-20] works on another thread, and keeps it for the next task", async () => {
    const workers = pool();
    const first = await workers.run("ana", ask("thread"));
    expect(first).toMatchObject({ output: { softMs: 5 } });
    expect(first).not.toMatchObject({ output: { threadId } });
    expect(await workers.run("ana", ask("thread"))).toEqual(first);
  });

  it(
    "[START-20] ends a task that exceeds its time while others are answered, " +
      "and reports its progress",
    async () => {
      const [hostile, others] = [pool({ hardMs: 2_000 }), pool()];
      let ended = false;
      const spent = hostile.run("mallory", ask("turn")).finally(() => (ended = true));
      let meanwhile = 0;
      while (!ended) {
        expect(await others.run("ana", ask(meanwhile))).toMatchObject({
          output: { input: meanwhile },
        });
        meanwhile += 1;
      }
      expect(meanwhile).toBeGreaterThan(1);
      expect(await spent).toEqual({ spent: 7 });
      expect(await hostile.run("ana", ask("next"))).toMatchObject({ output: { input: "next" } });
    },
  );

  it("[START-20] lets a task without processor time go on, and counts the time that it had", async () => {
    const starved = pool({ hardMs: 300 }, () => 5);
    // A thread that is starting gets its time before its processor time is known.
    await starved.run("ana", ask("warm"));
    expect(await starved.run("ana", ask("slow"))).toMatchObject({ output: { input: "slow" } });
    let looks = 0;
    const crowded = pool({ hardMs: 300 }, () => 5 + 60 * (looks += 1));
    await crowded.run("mallory", ask("warm"));
    expect(await crowded.run("mallory", ask("turn"))).toEqual({ spent: 7 });
    expect(looks).toBe(3);
  });

  it("[START-20] ends a task that never gets a processor as spent, at no version", async () => {
    const starved = pool({ hardMs: 300 }, () => 5);
    expect(await starved.run("ana", ask("turn"))).toEqual({ spent: null });
  });

  it(
    "[START-20] reports a task that only waits for the database as unanswered, and goes on " +
      "with a new thread",
    async () => {
      const workers = pool({ hardMs: 1_000 });
      // The time of earlier work does not count.
      await workers.run("ana", ask("warm"));
      expect(await workers.run("ana", ask("wait"))).toEqual({
        fault: { name: "Unanswered", message: "The database did not respond", status: 503 },
      });
      expect(await workers.run("ana", ask("next"))).toMatchObject({ output: { input: "next" } });
    },
  );

  it("[START-20] ends a task that exceeds its memory, and goes on with a new thread", async () => {
    const workers = pool({ megabytes: 24 });
    expect(await workers.run("mallory", ask("fill"))).toEqual({ spent: 7 });
    expect(await workers.run("ana", ask("next"))).toMatchObject({ output: { input: "next" } });
  });

  it("[START-20] reports faults of a worker, and replaces one that exits", async () => {
    const workers = pool();
    expect(await workers.run("ana", ask("fault"))).toEqual({
      fault: { name: "TooHeavy", message: "", status: null },
    });
    expect(await workers.run("ana", ask("throw"))).toMatchObject({ fault: { message: "broken" } });
    expect(await workers.run("ana", ask("exit"))).toEqual({ spent: null });
    expect(await workers.run("ana", ask("next"))).toMatchObject({ output: { input: "next" } });
  });

  it(
    "[START-21] gives every owner a turn however much one of them asks, and refuses " +
      "jobs of the owner with the most",
    async () => {
      const workers = pool({ waiting: 6 });
      const order: string[] = [];
      const run = async (owner: string, at: number) => {
        const outcome = await workers.run(owner, ask(at));
        order.push("busy" in outcome ? `${owner} ${at} busy` : `${owner} ${at}`);
      };
      await Promise.all(
        [1, 2, 3, 4, 5, 6, 7, 8]
          .map((at) => run("mallory", at))
          .concat(run("ana", 1), run("ben", 1)),
      );
      expect(order.indexOf("ana 1")).toBeLessThan(order.indexOf("mallory 4"));
      expect(order.indexOf("ben 1")).toBeLessThan(order.indexOf("mallory 4"));
      expect(order.filter((line) => line.endsWith("busy")).sort()).toEqual([
        "mallory 6 busy",
        "mallory 7 busy",
        "mallory 8 busy",
      ]);
    },
  );

  it("[START-21] drops no waiting job for an owner who waits for as much", async () => {
    const workers = pool({ waiting: 2 });
    const answers = await Promise.all(
      ["mallory", "ana", "ben", "carol"].map((owner) => workers.run(owner, ask(owner))),
    );
    expect(answers.map((outcome) => ("busy" in outcome ? "busy" : "done"))).toEqual([
      "done",
      "done",
      "done",
      "busy",
    ]);
  });

  it("[START-29] ends the running task of a disconnected caller, drops its waiting ones, and goes on", async () => {
    const workers = pool();
    const leaving = new AbortController();
    const running = workers.run("mallory", ask("turn"), leaving.signal);
    const waiting = workers.run("mallory", ask(1), leaving.signal);
    const next = workers.run("ana", ask(2));
    expect(workers.load).toEqual({ running: 1, waiting: 2 });
    leaving.abort();
    expect(await Promise.all([running, waiting])).toEqual([{ gone: true }, { gone: true }]);
    expect(await next).toMatchObject({ output: { input: 2 } });
    expect(await workers.run("mallory", ask(3), leaving.signal)).toEqual({ gone: true });
    expect(workers.load).toEqual({ running: 0, waiting: 0 });
  });

  it("[START-29] ignores a caller that disconnects after its answer", async () => {
    const workers = pool();
    const leaving = new AbortController();
    const first = await workers.run("ana", ask("thread"), leaving.signal);
    leaving.abort();
    expect(await workers.run("ana", ask("thread"))).toEqual(first);
  });
});
