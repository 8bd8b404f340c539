import { describe, expect, it } from "vitest";
import type { Clock } from "../realtime/clock";
import { PageSupervisor, supervision } from "./page-supervisor";
import type { PageProcess } from "./page-supervisor";

type Launched = PageProcess<string> & {
  isFirst: boolean;
  begin(): void;
  end(how: string): void;
  answers: boolean;
  killed: boolean;
};

function supervised() {
  let now = 0;
  let timers: { at: number; action: () => void }[] = [];
  const clock: Clock = {
    now: () => now,
    after(ms, action) {
      const timer = { at: now + ms, action };
      timers.push(timer);
      return () => void (timers = timers.filter((other) => other !== timer));
    },
  };
  const settle = () => new Promise((done) => setImmediate(done));
  const pass = async (ms: number) => {
    const until = now + ms;
    await settle();
    for (;;) {
      const [next] = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (!next) break;
      timers = timers.filter((other) => other !== next);
      now = next.at;
      next.action();
      await settle();
    }
    now = until;
    await settle();
  };
  const launched: Launched[] = [];
  const lines: string[] = [];
  const supervisor = new PageSupervisor<string>(
    (isFirst) => {
      let begin: (line: string) => void = () => undefined;
      let fail: (error: Error) => void = () => undefined;
      let end: (how: string) => void = () => undefined;
      const ready = new Promise<string>((settled, reject) => {
        begin = settled;
        fail = reject;
      });
      const ended = new Promise<string>((settled) => (end = settled));
      const name = `line ${launched.length}`;
      const made: Launched = {
        isFirst,
        ready,
        ended,
        answers: true,
        killed: false,
        begin: () => begin(name),
        end(how) {
          end(how);
          fail(new Error(how));
        },
        ping: () => (made.answers ? Promise.resolve() : new Promise(() => undefined)),
        kill() {
          made.killed = true;
          made.end("SIGKILL");
        },
        close: () => made.end("code 0"),
      };
      launched.push(made);
      return made;
    },
    clock,
    (message) => void lines.push(message),
  );
  const last = () => {
    const found = launched.at(-1);
    if (!found) throw new Error("No process was started.");
    return found;
  };
  const start = async () => {
    const starting = supervisor.start();
    last().begin();
    await starting;
  };
  return { supervisor, launched, lines, last, pass, settle, start };
}

const here = new AbortController().signal;

describe("[START-52] the process that renders pages", () => {
  it("fails the start when it ends before it is ready", async () => {
    const { supervisor, launched, last, pass } = supervised();
    const starting = supervisor.start();
    last().end("code 1");
    await expect(starting).rejects.toThrow("code 1");
    await pass(120_000);
    expect(launched).toHaveLength(1);
  });

  it("is replaced at once when it ends, and requests wait for the next", async () => {
    const { supervisor, launched, lines, last, pass, settle, start } = supervised();
    await start();
    expect(await supervisor.line(here)).toBe("line 0");
    last().end("SIGKILL");
    await settle();
    expect(supervisor.isUp).toBe(false);
    const waiting = supervisor.line(here);
    await pass(0);
    expect(launched.map(({ isFirst }) => isFirst)).toEqual([true, false]);
    last().begin();
    expect(await waiting).toBe("line 1");
    expect(supervisor.isUp).toBe(true);
    expect(lines).toEqual([
      "The process that renders pages ended (SIGKILL). Another one starts.",
      "Pages are rendered again",
    ]);
  });

  it("keeps a request waiting for 5 s at most, and none whose caller has disconnected", async () => {
    const { supervisor, last, pass, settle, start } = supervised();
    await start();
    last().end("SIGKILL");
    await settle();
    const caller = new AbortController();
    const left = supervisor.line(caller.signal);
    caller.abort();
    expect(await left).toBeNull();
    const patient = supervisor.line(here);
    await pass(supervision.patience);
    expect(await patient).toBeNull();
  });

  it("lets a request wait for another process than the lost one", async () => {
    const { supervisor, last, pass, start } = supervised();
    await start();
    const waiting = supervisor.line(here, "line 0");
    last().end("SIGKILL");
    await pass(0);
    last().begin();
    expect(await waiting).toBe("line 1");
  });

  it("restarts with back-off up to 30 s, which ends after a minute of work", async () => {
    const { launched, last, pass, settle, start } = supervised();
    await start();
    const rests: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const before = launched.length;
      last().end("code 134");
      await settle();
      let rest = 0;
      await pass(0);
      for (; launched.length === before; rest += 500) await pass(500);
      rests.push(rest);
    }
    expect(rests).toEqual([0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    last().begin();
    await pass(supervision.settled);
    const before = launched.length;
    last().end("code 134");
    await settle();
    await pass(0);
    expect(launched.length).toBe(before + 1);
  });

  it("is killed and replaced when it has not answered for a minute", async () => {
    const { launched, last, pass, start } = supervised();
    await start();
    const first = last();
    first.answers = false;
    // The last answered ping.
    await pass(supervision.heartbeat);
    await pass(supervision.heartbeat * supervision.misses - 1);
    expect(first.killed).toBe(false);
    await pass(1);
    expect(first.killed).toBe(true);
    await pass(0);
    expect(launched).toHaveLength(2);
  });

  it("is not replaced once the product stops", async () => {
    const { supervisor, launched, lines, pass, start } = supervised();
    await start();
    await supervisor.close();
    await pass(120_000);
    expect(launched).toHaveLength(1);
    expect(lines).toEqual([]);
    expect(await supervisor.line(here)).toBeNull();
  });
});
