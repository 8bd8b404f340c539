import { expect, it } from "vitest";
import { retried } from "./retried";
import { VirtualClock } from "./virtual-clock.fixture";

function scene(answers: (number | null | Error)[]) {
  const clock = new VirtualClock();
  const seen = { done: [] as number[], failed: [] as unknown[], attempts: [] as number[] };
  const stop = retried({
    clock,
    random: { unit: () => 1 },
    work: async () => {
      seen.attempts.push(clock.elapsed());
      const answer = answers[seen.attempts.length - 1] ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    done: (value) => seen.done.push(value),
    failed: (fault) => seen.failed.push(fault),
    delays: { first: 1_000, longest: 4_000 },
  });
  return { clock, seen, stop };
}

it("[STREAM-11] retries after growing pauses until it succeeds, and then stops", async () => {
  const gone = new Error("gone");
  const { clock, seen } = scene([gone, null, gone, gone, 7]);
  await clock.advance(60_000);
  expect(seen).toEqual({
    done: [7],
    failed: [gone, gone, gone],
    attempts: [0, 1_000, 3_000, 7_000, 11_000],
  });
});

it("[STREAM-11] reports nothing after it is stopped", async () => {
  const { clock, seen, stop } = scene([new Error("gone"), 7]);
  stop();
  await clock.advance(60_000);
  expect(seen).toEqual({ done: [], failed: [], attempts: [0] });
});
