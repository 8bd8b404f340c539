import type { Browser, CDPSession, Page } from "playwright";

/**
 * A task of a page's main thread: its CPU time and wall time in ms, and its most expensive parts.
 */
export type TracedTask = { cpu: number; wall: number; parts: [name: string, cpu: number][] };

/** An event of Chromium's trace, with times in microseconds. `tdur` is CPU time. */
type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
};

const taskName = "ThreadControllerImpl::RunTask";
const includedCategories = [
  "toplevel",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "blink.user_timing",
  "v8",
];
const markOf = (name: string) => `traced-${name}`;

async function readStream(session: CDPSession, handle: string): Promise<string> {
  let text = "";
  for (let eof = false; !eof;) {
    const read = await session.send("IO.read", { handle, size: 1 << 20 });
    text += read.data;
    eof = read.eof;
  }
  await session.send("IO.close", { handle });
  return text;
}

/**
 * Starts a trace of named pages. `stop` returns each page's main-thread tasks of more than `least`
 * ms of CPU time, longest first. On a busy machine, a task's wall time is mostly spent waiting for
 * other processes.
 */
export async function traceTasks<Name extends string>(browser: Browser, pages: Record<Name, Page>) {
  const named = Object.entries<Page>(pages);
  const session = await browser.newBrowserCDPSession();
  await session.send("Tracing.start", {
    transferMode: "ReturnAsStream",
    traceConfig: { includedCategories, recordMode: "recordAsMuchAsPossible" },
  });
  // Identifies each page's process.
  for (const [name, page] of named)
    await page.evaluate((mark) => void performance.mark(mark), markOf(name));
  return {
    async stop(least: number): Promise<Record<Name, TracedTask[]>> {
      const complete = new Promise<string>((settle) =>
        session.once("Tracing.tracingComplete", ({ stream }) => settle(stream ?? "")),
      );
      await session.send("Tracing.end");
      const trace = await readStream(session, await complete);
      await session.detach();
      // The JSON has Chromium's own format.
      const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
      const tasks = named.map(([name]) => [name, tasksOf(traceEvents, markOf(name), least)]);
      return Object.fromEntries(tasks) as Record<Name, TracedTask[]>;
    },
  };
}

function tasksOf(events: readonly TraceEvent[], mark: string, least: number): TracedTask[] {
  const marked = events.find(({ name }) => name === mark);
  if (!marked) throw new Error(`The trace has no mark ${mark}.`);
  const own = events.filter(
    ({ pid, tid, ph }) => pid === marked.pid && tid === marked.tid && ph === "X",
  );
  return own
    .filter(({ name, tdur = 0 }) => name === taskName && tdur > least * 1000)
    .map(({ ts, dur = 0, tdur = 0 }) => {
      const parts = new Map<string, number>();
      for (const part of own)
        if (part.ts >= ts && part.ts < ts + dur && !part.name.endsWith("RunTask"))
          parts.set(part.name, (parts.get(part.name) ?? 0) + (part.tdur ?? 0) / 1000);
      return {
        cpu: tdur / 1000,
        wall: dur / 1000,
        parts: [...parts].sort(([, one], [, other]) => other - one).slice(0, 5),
      };
    })
    .sort((one, other) => other.cpu - one.cpu);
}

/** Describes the main thread's tasks above a limit, and the parts of the longest task. */
export function taskWords(tasks: readonly TracedTask[], limit: number): string {
  const above = tasks.filter(({ cpu }) => cpu > limit);
  const each = above.map(({ cpu, wall }) => `${cpu.toFixed(0)} (${wall.toFixed(0)})`).join(", ");
  const [longest] = tasks;
  const parts = longest?.parts.map(([name, cpu]) => `${name} ${cpu.toFixed(0)}`).join(", ") ?? "";
  return (
    `${above.length} tasks above ${limit} ms of processor time${each && `: ${each}`}; ` +
    `the longest ${(longest?.cpu ?? 0).toFixed(0)}${parts && `: ${parts}`}`
  );
}
