import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterEach, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { forCaller } from "@/supabase/caller";
import { BudgetSpent, CallerGone } from "./task";
import { WorkerPool } from "./worker-pool";
import type { TaskClass } from "./worker-pool";
import { foldUpToStop, runFold, runIn, runTask, startWorkers } from "./workers";

const client = createClient("http://127.0.0.1:1", "key", {
  realtime: { transport: WebSocket as never },
});
const asker = { client, service: true, owner: "ana" };

it("[START-22] an unbuilt server says so, and does the same work in its own thread", async () => {
  const messages: unknown[] = [];
  const spies = [
    vi.spyOn(process, "cwd").mockReturnValue(mkdtempSync(join(tmpdir(), "palimpsest-unbuilt-"))),
    vi
      .spyOn(console, "error")
      .mockImplementation((...words) => void messages.push(words.join(" "))),
  ];
  try {
    startWorkers();
    expect(messages).toEqual([expect.stringMatching(/server-worker\.cjs is missing/)]);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const event = { body: { text: "Said" }, update: null, clientTime: new Date(0).toISOString() };
  expect(await runIn("heavy", "tombstone", { event }, asker)).toEqual({
    tombstone: Uint8Array.of(0, 0, 4),
    repeats: false,
  });
  expect(
    await runIn("heavy", "tombstone", { event, reason: "What was said" }, asker),
  ).toMatchObject({ repeats: true });
});

describe("a fold that does not end", () => {
  const document = "00000000-0000-4000-8000-0000000000d0";
  // A worker that reports progress depending on the kind of document, and then works or waits
  // endlessly until a stop is known.
  const script = join(mkdtempSync(join(tmpdir(), "palimpsest-folds-")), "worker.cjs");
  writeFileSync(
    script,
    `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ input }) => {
      const report = (progress) => parentPort.postMessage({ progress })
      const answer = (output) => parentPort.postMessage({ output })
      if (input.kind === 'slow' && !input.light) return answer('late')
      if (input.kind === 'slow' || input.kind === 'silent') return
      if (input.kind === 'hostile') report(2)
      while (true);
    })`,
  );
  const taskClass: TaskClass = {
    workers: 1,
    hardMs: 1_200,
    softMs: 5,
    megabytes: 64,
    waiting: 10,
    niceness: 0,
  };
  type Pools = { light: WorkerPool; heavy: WorkerPool };
  const known: typeof globalThis & { palimpsestWorkers?: Pools | null | undefined } = globalThis;
  const after: (() => unknown)[] = [];
  afterEach(() => Promise.all(after.splice(0).map((end) => end())));

  /** Starts threads with that script, and a fake database that records its requests. */
  async function begin(): Promise<string[]> {
    const asked: string[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      asked.push(`${request.url} ${body}`);
      response.writeHead(204).end();
    };
    const server = createServer((request, response) => void answer(request, response));
    await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port.");
    for (const [name, value] of Object.entries({
      SUPABASE_URL: `http://127.0.0.1:${address.port}`,
      SUPABASE_PUBLISHABLE_KEY: "key",
      SUPABASE_SECRET_KEY: "secret",
    }))
      vi.stubEnv(name, value);
    const [before, error] = [known.palimpsestWorkers, vi.spyOn(console, "error").mockReturnValue()];
    const pools = (known.palimpsestWorkers = {
      light: new WorkerPool(script, taskClass),
      heavy: new WorkerPool(script, taskClass),
    });
    after.push(() => {
      vi.unstubAllEnvs();
      error.mockRestore();
      known.palimpsestWorkers = before;
      server.close();
      return Promise.all([pools.light.close(), pools.heavy.close()]);
    });
    return asked;
  }
  const foldRequest = (kind: string) => ({ document, at: null, light: true, kind });

  it("[LOG-56] is recorded at its last reported version once its time is spent", async () => {
    const asked = await begin();
    await expect(runFold("present", foldRequest("hostile"), asker)).rejects.toThrow(BudgetSpent);
    expect(asked).toEqual([
      `/rest/v1/rpc/write_stop ${JSON.stringify({ stream: document, version: 2 })}`,
    ]);
  });

  it(
    "[LOG-56] is not recorded when it reported nothing, when it only waited, or " +
      "before its caller is known",
    async () => {
      const asked = await begin();
      await expect(runFold("present", foldRequest("dumb"), asker)).rejects.toThrow(BudgetSpent);
      await expect(runFold("present", foldRequest("silent"), asker)).rejects.toMatchObject({
        name: "StoreFault",
        status: 503,
        retryable: true,
      });
      const begun = runTask("present", foldRequest("hostile"), asker);
      await expect(begun).rejects.toThrow(BudgetSpent);
      expect(asked).toEqual([]);
      await expect(foldUpToStop(begun, "present", foldRequest("hostile"), asker)).rejects.toThrow(
        BudgetSpent,
      );
      expect(asked).toHaveLength(1);
    },
  );

  it("[START-20] waits longer for a slow database", async () => {
    await begin();
    expect(await runFold("present", foldRequest("slow"), asker)).toBe("late");
  });

  it("[START-29] ends with its page's request, or with the signal that it was given", async () => {
    const asked = await begin();
    const leaving = new AbortController();
    const fold = () => runFold("present", foldRequest("silent"), asker);
    const folding = forCaller(leaving.signal, fold);
    leaving.abort();
    await expect(folding).rejects.toThrow(CallerGone);
    const own = { ...asker, signal: leaving.signal };
    await expect(runFold("present", foldRequest("slow"), own)).rejects.toThrow(CallerGone);
    const shared = { ...asker, signal: null };
    const apart = () => runFold("present", foldRequest("slow"), shared);
    expect(await forCaller(leaving.signal, apart)).toBe("late");
    expect(asked).toEqual([]);
  });
});
