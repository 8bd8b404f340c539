import { loadavg } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@/supabase/local/database/postgres";
import { startStack } from "@/tests/support/product/stack";
import { percentile } from "./figures/percentile";

const rounds = Number(process.env.ROUNDS ?? 5);
const most = { milliseconds: 5000 };

/** Returns the duration of `work`, in ms. */
async function taken(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const stack = await startStack();
const starts: number[] = [];
const stops: number[] = [];
const bareStarts: number[] = [];
const bareStops: number[] = [];
try {
  for (let round = 0; round < rounds; round += 1) {
    stops.push((await stack.stop()).milliseconds);
    let server = { stop: () => Promise.resolve() };
    bareStarts.push(
      await taken(async () => {
        server = await startPostgres({
          directory: join(stack.dataDir, "postgres"),
          log: () => undefined,
        });
      }),
    );
    bareStops.push(await taken(() => server.stop()));
    starts.push(await taken(() => stack.restart()));
  }
  console.log(
    `The whole product and PostgreSQL alone, started and stopped in turn on the same data, ${rounds} rounds, ms`,
  );
  console.log(`(load of the machine: ${(loadavg()[0] ?? NaN).toFixed(1)})`);
  for (const [what, ours, bare] of [
    ["start", starts, bareStarts],
    ["stop", stops, bareStops],
  ] as const) {
    const [median, peer] = [percentile(ours, 0.5), percentile(bare, 0.5)];
    console.log(
      `${what}: median ${median.toFixed(0)}, most ` +
        `${Math.max(...ours).toFixed(0)}; PostgreSQL alone ${peer.toFixed(0)}; ` +
        `ratio ${(median / peer).toFixed(1)}`,
    );
    if (median > most.milliseconds) {
      console.error(
        `A ${what} takes ${median.toFixed(0)} ms; it must take at most ${most.milliseconds} ms.`,
      );
      process.exitCode = 1;
    }
  }
} finally {
  await stack.dispose();
}
