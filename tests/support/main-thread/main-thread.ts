import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";

const answer = z.object({
  /** CPU time of the thread, in ms. */
  ran: z.number(),
  /** CPU time of the thread's longest turn, in ms, rounded up. */
  longest: z.number(),
  /** How late the thread's timers were by the clock, in ms. */
  delay: z.object({ median: z.number(), p99: z.number(), longest: z.number() }),
});

/** Creates a watch of the main thread, for one product that is started with `env`. */
export function mainThreadWatch() {
  const path = join(tmpdir(), `palimpsest-thread-${randomUUID().slice(0, 8)}.sock`);
  const watch = new URL("watch.mjs", import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import ${watch}`, MAIN_THREAD_WATCH: path },
    /** Returns the work of the thread since the last call. */
    async since(): Promise<z.output<typeof answer>> {
      return answer.parse(JSON.parse(await text(connect(path))));
    },
  };
}
