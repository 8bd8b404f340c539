import { AsyncLocalStorage } from "node:async_hooks";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import bcrypt from "bcryptjs";
import type { Payer } from "./fair-queue";
import { PasswordPool, PasswordWorkDropped } from "./password-pool";

type Context = { payer: Payer; gone: AbortSignal; dropped: boolean };

const context = new AsyncLocalStorage<Context>();

const pool = new PasswordPool(
  () => {
    const worker = new Worker(new URL("./password-worker.mjs", import.meta.url));
    // An idle worker must not keep the process alive.
    worker.unref();
    return worker;
  },
  {
    // Half of the processors are left to the main thread and the database.
    workers: Math.max(1, Math.floor(availableParallelism() / 2)),
    perAccount: 8,
    perNetwork: 64,
    waiting: 20_000,
    running: 10_000,
  },
);

async function run(task: Parameters<PasswordPool["run"]>[2]): Promise<string | boolean> {
  const asked = context.getStore();
  try {
    return await pool.run(asked?.payer ?? { network: "", account: "" }, asked?.gone ?? null, task);
  } catch (error) {
    if (asked && error instanceof PasswordWorkDropped) asked.dropped = true;
    throw error;
  }
}

/**
 * Moves password hashing to worker threads. Supabase Lite has no option for this: it calls `hash`
 * and `compare` of the bcryptjs it shares with us, in JavaScript, at a quarter of a second each.
 */
export function movePasswordWork(): void {
  Object.assign(bcrypt, {
    hash: async (text: string, cost: number) => run({ kind: "hash", text, cost }),
    compare: async (text: string, hash: string) => run({ kind: "compare", text, hash }),
  });
}

/**
 * Runs an auth call whose password work counts against `payer` and is dropped when `gone` aborts.
 * Returns null if the work was dropped.
 */
export function withPasswordWork(
  payer: Payer,
  gone: AbortSignal,
  call: () => Promise<Response>,
): Promise<Response | null> {
  const given: Context = { payer, gone, dropped: false };
  return context.run(given, async () => {
    const response = await call();
    return given.dropped ? null : response;
  });
}
