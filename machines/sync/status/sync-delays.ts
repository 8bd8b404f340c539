import { backoff } from "@/events/core/backoff";
import type { Random } from "@/events/core/clock";

type Context = { failures: number; misses: number; delay: number };
type Args = { context: Context };

const longest = 30_000;

/** The machine's delays in ms. `random` keeps tabs that lost a server from retrying in step. */
export const syncDelays = (random: Pick<Random, "unit">) => ({
  gather: 30,
  poll: () => 8_000 + 2_000 * random.unit(),
  alone: ({ context: { misses } }: Args) =>
    misses === 0 ? 3_000 : backoff(random, misses, { first: 3_000, longest }),
  reread: ({ context }: Args) => backoff(random, context.misses, { first: 500, longest }),
  // Each event is also announced to all tabs, so flushes keep the pace of the broadcasts.
  flush: ({ context }: Args) => Math.max(800, context.delay),
  held: 500,
  resend: ({ context }: Args) => backoff(random, context.failures, { first: 500, longest }),
  grace: 5_000,
  silence: 10_000,
  // After an answer this late, the server may have been suspended and notices may be missing.
  late: 3_000,
});
