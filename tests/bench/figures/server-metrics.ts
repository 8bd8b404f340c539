import { setTimeout as delay } from "node:timers/promises";

/** The token with which a benchmark reads the metrics of its stack. */
export const metricsToken = "token-of-the-benchmark";

/** Reads one metric of a stack from the line that begins with `name`, including labels. */
export async function metric(url: string, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`${url} has no metric ${name}`);
  return Number(line.slice(name.length));
}

/**
 * Resolves once the server has been nearly idle for five seconds, including its background work.
 */
export async function serverIsIdle(url: string): Promise<void> {
  const processor = () => metric(url, "process_cpu_seconds_total");
  for (let idle = 0, before = await processor(); idle < 5;) {
    await delay(1_000);
    const now = await processor();
    idle = now - before < 0.1 ? idle + 1 : 0;
    before = now;
  }
}
