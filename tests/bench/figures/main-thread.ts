import type { Page } from "playwright";

/**
 * How long a page's main thread was blocked, in ms: every task above 50 ms, and the longest block
 * of any length.
 */
export type Blocked = { tasks: number[]; longest: number };

declare global {
  interface Window {
    benchBlocked?: { begun: number; tasks: { start: number; duration: number }[]; gaps: number[] };
  }
}

/** The interval at which the page checks that it is responsive, in ms. */
const beat = 5;

/** Starts to watch the main thread of a loaded page. */
export async function watchMainThread(page: Page): Promise<void> {
  await page.evaluate((interval) => {
    const watch: NonNullable<Window["benchBlocked"]> = {
      begun: performance.now(),
      tasks: [],
      gaps: [],
    };
    window.benchBlocked = watch;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        watch.tasks.push({ start: startTime, duration });
    }).observe({ type: "longtask" });
    let before = performance.now();
    setInterval(() => {
      const now = performance.now();
      watch.gaps.push(now - before - interval);
      before = now;
    }, interval);
  }, beat);
}

/** Returns how long the main thread was blocked since the last call, or since watching began. */
export async function blockedSince(page: Page): Promise<Blocked> {
  return page.evaluate(async () => {
    // A long task is reported in a later task.
    await new Promise((resolve) => setTimeout(resolve, 100));
    const watch = window.benchBlocked;
    if (!watch) throw new Error("The page has no task observer");
    const tasks = watch.tasks.filter(({ start }) => start >= watch.begun);
    const gaps = watch.gaps;
    [watch.tasks, watch.gaps, watch.begun] = [[], [], performance.now()];
    return {
      tasks: tasks.map(({ duration }) => duration),
      longest: gaps.reduce((most, gap) => Math.max(most, gap), 0),
    };
  });
}

/** Describes the main thread's blocking in words. */
export function blockedWords({ tasks, longest }: Blocked): string {
  const each = tasks.map((duration) => duration.toFixed(0)).join(", ");
  return (
    `longest stretch ${longest.toFixed(0)} ms, ${tasks.length} tasks above 50 ms` +
    (each === "" ? "" : ` (${each})`)
  );
}
