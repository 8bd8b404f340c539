import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { supabaseStore } from "@/events/log/store";
import { bombs, layBombs } from "@/tests/support/hostile";
import { mainThreadWatch } from "@/tests/support/main-thread/main-thread";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { metric, metricsToken } from "./figures/server-metrics";

const count = 40;
const thread = mainThreadWatch();
const folder = join(tmpdir(), "palimpsest-bench", `hostile-${process.pid}`);

/**
 * Returns the longest block of the main thread since the last call: by the clock, and in CPU time
 * of a single turn.
 */
async function heldUp(url: string): Promise<string> {
  const delayed = (await metric(url, "nodejs_eventloop_lag_max_seconds")) * 1_000;
  return (
    `event loop held up at most ${delayed.toFixed(0)} ms, ` +
    `longest turn ${(await thread.since()).longest.toFixed(0)} ms of processor time`
  );
}

/**
 * Measures another person's smallest request, repeatedly in sequence, while `work` is in progress.
 * Returns the durations.
 */
async function beside(url: string, work: Promise<unknown>): Promise<number[]> {
  let done = false;
  void work.finally(() => (done = true)).catch(() => undefined);
  const times: number[] = [];
  while (!done) {
    const begun = performance.now();
    await fetch(`${url}/robots.txt`).then((answer) => answer.arrayBuffer());
    times.push(performance.now() - begun);
    await delay(5);
  }
  return times;
}

/** Opens a document of forty edits that expand a thousandfold while others send small requests. */
async function benchHostile(): Promise<void> {
  const hostile = bombs(count);
  const stack = await startStack({
    dataDir: folder,
    // The settings of a start for people.
    env: { METRICS_TOKEN: metricsToken, WARM_UP: "1", ...thread.env },
  });
  try {
    const mallory = await signUp(stack, "Mallory");
    const document = await meet([mallory]);
    const page = await pageAs(mallory);
    // The page renderer was loaded before the ready line (START-28).
    await heldUp(stack.url);
    await (await page(`${stack.url}/d/${await meet([mallory])}`)).arrayBuffer();
    console.log(`an ordinary page, the first: ${await heldUp(stack.url)}`);
    const calm = await beside(stack.url, delay(3_000));
    const calmDelay = await heldUp(stack.url);
    await layBombs(stack.dataDir, supabaseStore(mallory.client), document, hostile);
    console.log(
      "others' requests, ms, while nothing is opened: p50 " +
        `${percentile(calm, 0.5).toFixed(1)}, p99 ` +
        `${percentile(calm, 0.99).toFixed(1)}, most ` +
        `${Math.max(...calm).toFixed(1)}; ${calmDelay}; load ` +
        `${(loadavg()[0] ?? NaN).toFixed(1)}`,
    );
    for (const opening of ["first", "second", "third"]) {
      await heldUp(stack.url);
      const begun = performance.now();
      const opened = page(`${stack.url}/d/${document}`).then(async (answer) => ({
        status: answer.status,
        bytes: (await answer.arrayBuffer()).byteLength,
        ms: performance.now() - begun,
      }));
      const times = await beside(stack.url, opened);
      const { status, bytes, ms } = await opened;
      console.log(
        `${opening} opening: ${status}, ${(bytes / 1e6).toFixed(2)} MB in ` +
          `${ms.toFixed(0)} ms; others' requests meanwhile: ` +
          `${times.length}, p50 ${percentile(times, 0.5).toFixed(1)}, p99 ` +
          `${percentile(times, 0.99).toFixed(1)}, most ` +
          `${Math.max(...times).toFixed(1)} ms; ${await heldUp(stack.url)}`,
      );
    }
  } finally {
    await stack.dispose();
  }
}

await benchHostile();
