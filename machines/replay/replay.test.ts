import { describe, expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { getShortestPaths } from "xstate/graph";
import { row } from "@/events/history/timeline/rows.fixture";
import type { Timeline } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { replayMachine } from "./replay";
import type { ReplayEvent } from "./replay-setup";
import type { Opening } from "./replay-opening";
import type { ReplayInput } from "./replay-place";

const start = Date.UTC(2026, 10, 14, 15, 42);
const hour = 3_600_000;
const times = [0, 500, 1000, 5000, hour, hour + 400];
const timeline = openTimeline(
  times.map((after, index) =>
    row(
      {
        version: index + 1,
        actorId: index < 3 ? "Ana" : "Ben",
        type: index === 0 ? "document.created" : "document.edited",
        body: index === 0 ? { title: "Minutes" } : {},
      },
      start + after,
    ),
  ),
);
const last = timeline.length - 1;

const newest: Opening = { at: null, range: null, play: false, speed: 1, within: null };
const version = (number: number): Opening => ({ ...newest, at: { version: number, edit: null } });

function machineAt(clock: { now(): number }, opening = newest, load?: ReplayInput["load"]) {
  return { input: { clock, opening, load: load ?? (() => Promise.resolve(timeline)) } };
}

async function opened(opening = newest) {
  const clock = { time: 0, now: () => clock.time };
  const actor = createActor(replayMachine, machineAt(clock, opening)).start();
  await waitFor(actor, (snapshot) => snapshot.matches("ready"));
  const send = (...events: ReplayEvent[]) => {
    for (const event of events) actor.send(event);
    return actor.getSnapshot();
  };
  return {
    clock,
    send,
    at: () => actor.getSnapshot().context.index,
    state: () => JSON.stringify(actor.getSnapshot().value),
  };
}

describe("replay", () => {
  it("reaches every state, and never leaves the history [REPLAY-7]", async () => {
    const events: ReplayEvent[] = [
      { type: "play" },
      { type: "pause" },
      { type: "toggle" },
      { type: "tick" },
      { type: "seek", index: 3 },
      { type: "seek", index: 99 },
      { type: "at", at: { version: 2, edit: 0 } },
      { type: "step", by: -1 },
      { type: "step", by: 1 },
      { type: "group", by: -1 },
      { type: "group", by: 1 },
      { type: "session", by: 1 },
      { type: "session", by: -1 },
      { type: "skip", ms: -5000 },
      { type: "scrub", index: 2 },
      { type: "scrubbed" },
      { type: "speed", speed: 4 },
      { type: "retry" },
      { type: "pacing", pacing: { kind: "even" } },
      { type: "pacing", pacing: { kind: "within", ms: 1000 } },
      {
        type: "playback.filter",
        playbackFilter: { revisions: Uint32Array.of(1, 4), slowly: true },
      },
      { type: "playback.filter", playbackFilter: { revisions: new Uint32Array(), slowly: false } },
      { type: "range", range: { from: 2, to: 4 } },
      { type: "range", range: null },
    ];
    let now = 0;
    const actor = createActor(replayMachine, machineAt({ now: () => (now += 700) })).start();
    const fromState = await waitFor(actor, (snapshot) => snapshot.matches("ready"));
    const paths = getShortestPaths(replayMachine, {
      fromState,
      events,
      serializeState: ({ value, context }) =>
        JSON.stringify([
          value,
          context.index,
          context.resume,
          context.pacing,
          context.range,
          context.playbackFilter.revisions?.length,
        ]),
      limit: 20_000,
    });
    const seen = new Set(paths.map(({ state }) => JSON.stringify(state.value)));
    expect([...seen].sort()).toEqual([
      '{"ready":"ended"}',
      '{"ready":"paused"}',
      '{"ready":"playing"}',
      '{"ready":"seeking"}',
    ]);
    expect(paths.length).toBeGreaterThan(timeline.length * 3);
    for (const { state } of paths) {
      const { index, played, open, speed } = state.context;
      expect(index).toBeGreaterThanOrEqual(0);
      expect(index).toBeLessThanOrEqual(last);
      const { playbackPath } = open ?? {};
      if (!playbackPath || playbackPath.count === 0) continue;
      if (playbackPath.playbackFilter(index)) expect(playbackPath.revisionAt(played)).toBe(index);
      if (state.matches({ ready: "playing" }))
        expect(playbackPath.playbackFilter(index)).toBe(true);
      if (state.matches({ ready: "ended" }))
        expect([index, speed > 0]).toEqual([playbackPath.last, true]);
    }
  });

  it("opens paused at the version asked for, or at the newest revision [REPLAY-7]", async () => {
    const latest = await opened();
    const third = await opened(version(3));
    expect([latest.at(), latest.state(), third.at()]).toEqual([last, '{"ready":"paused"}', 2]);
  });

  it("opens playing, at a speed, or at a range's start, as its address says [REPLAY-9]", async () => {
    const playing = await opened({ ...version(2), play: true, speed: 4 });
    expect([playing.at(), playing.state()]).toEqual([1, '{"ready":"playing"}']);
    playing.clock.time += 125;
    playing.send({ type: "tick" });
    expect(playing.at()).toBe(2);
    const range = await opened({
      ...newest,
      range: { from: { version: 2, edit: null }, to: { version: 4, edit: null } },
    });
    expect([range.at(), range.state()]).toEqual([1, '{"ready":"paused"}']);
    range.send({ type: "play" });
    range.clock.time += 60_000;
    range.send({ type: "tick" });
    expect([range.at(), range.state()]).toEqual([3, '{"ready":"ended"}']);
    range.send({ type: "play" });
    expect(range.at()).toBe(1);
    const atEnd = await opened({ ...newest, play: true });
    expect(atEnd.at()).toBe(0);
  });

  it("plays and steps through the filtered revisions, and seeks anywhere [REPLAY-10]", async () => {
    const { send, at, clock, state } = await opened(version(1));
    send({
      type: "playback.filter",
      playbackFilter: { revisions: Uint32Array.of(2, 4), slowly: false },
    });
    expect(at()).toBe(0);
    expect([0, 1, 2].map(() => send({ type: "step", by: 1 }) && at())).toEqual([2, 4, 4]);
    send({ type: "seek", index: 3 }, { type: "step", by: -1 });
    expect(at()).toBe(2);
    send({ type: "seek", index: 3 }, { type: "play" });
    expect(at()).toBe(4);
    clock.time += 10_000;
    send({ type: "tick" });
    expect([at(), state()]).toEqual([4, '{"ready":"ended"}']);
    send(
      { type: "playback.filter", playbackFilter: { revisions: new Uint32Array(), slowly: false } },
      { type: "play" },
    );
    expect([at(), state()]).toEqual([4, '{"ready":"paused"}']);
  });

  it(
    "starts over when played at the end, follows the chosen speed, and stops at " +
      "the end [REPLAY-7]",
    async () => {
      const { clock, send, at, state } = await opened();
      send({ type: "play" });
      expect(at()).toBe(0);
      clock.time += 600;
      send({ type: "tick" });
      expect(at()).toBe(1);
      clock.time += 100;
      send({ type: "speed", speed: 4 });
      clock.time += 100;
      send({ type: "tick" });
      expect(at()).toBe(2);
      clock.time += 60_000;
      send({ type: "tick" });
      expect([at(), state()]).toEqual([last, '{"ready":"ended"}']);
    },
  );

  it("goes on playing after a scrub only if it was playing before", async () => {
    const { send, state } = await opened(version(2));
    send({ type: "scrub", index: 1 }, { type: "scrubbed" });
    expect(state()).toBe('{"ready":"paused"}');
    send(
      { type: "play" },
      { type: "scrub", index: 1 },
      { type: "scrub", index: 3 },
      { type: "scrubbed" },
    );
    expect(state()).toBe('{"ready":"playing"}');
  });

  it("steps by bursts of one author and by sessions", async () => {
    const { send, at } = await opened(version(1));
    const stops = [0, 1, 2].map(() => send({ type: "group", by: 1 }) && at());
    expect(stops).toEqual([2, 3, last]);
    send({ type: "session", by: -1 });
    expect(at()).toBe(4);
    send({ type: "session", by: -1 });
    expect(at()).toBe(0);
  });

  it("moves within its prefix while the rest is loading, and keeps a chosen place [REPLAY-12]", async () => {
    const prefix = openTimeline(
      times
        .slice(0, 4)
        .map((after, index) => row({ version: index + 1, actorId: "Ana" }, start + after)),
    );
    const begun = (opening: Opening) => {
      let arrive = (_: Timeline) => {};
      const load: ReplayInput["load"] = (_signal, _onProgress, onPrefix) => {
        onPrefix(prefix);
        return new Promise((resolve) => (arrive = resolve));
      };
      const actor = createActor(replayMachine, machineAt({ now: () => 0 }, opening, load)).start();
      const place = () => ({
        index: actor.getSnapshot().context.index,
        sought: actor.getSnapshot().context.prefix?.sought ?? null,
      });
      return {
        actor,
        place,
        arrive: () => (arrive(timeline), waitFor(actor, (snapshot) => snapshot.matches("ready"))),
      };
    };
    const unasked = begun(newest);
    expect(unasked.place()).toEqual({ index: prefix.length - 1, sought: false });
    await unasked.arrive();
    expect(unasked.place()).toEqual({ index: last, sought: null });

    const asked = begun(version(2));
    expect(asked.place()).toEqual({ index: 1, sought: true });
    asked.actor.send({ type: "step", by: 1 });
    asked.actor.send({ type: "play" });
    expect(asked.actor.getSnapshot().matches("loading")).toBe(true);
    await asked.arrive();
    expect(asked.place()).toEqual({ index: 2, sought: null });

    const moved = begun(newest);
    moved.actor.send({ type: "scrub", index: 99 });
    moved.actor.send({ type: "group", by: -1 });
    const { index } = moved.place();
    expect(index).toBeLessThan(prefix.length);
    await moved.arrive();
    expect(moved.place().index).toBe(index);
  });

  it(
    "plays its prefix while the rest is loading, waits at its end, and goes on when " +
      "more arrives [REPLAY-12]",
    async () => {
      const beginning = (count: number) =>
        openTimeline(
          times
            .slice(0, count)
            .map((after, index) => row({ version: index + 1, actorId: "Ana" }, start + after)),
        );
      const reading = (opening: Opening) => {
        const clock = { time: 0, now: () => clock.time };
        const come = { prefix: (_: Timeline) => {}, whole: (_: Timeline) => {} };
        const load: ReplayInput["load"] = (_signal, _onProgress, onPrefix) => {
          come.prefix = onPrefix;
          return new Promise((resolve) => (come.whole = resolve));
        };
        const actor = createActor(replayMachine, machineAt(clock, opening, load)).start();
        const after = (ms: number) => {
          clock.time += ms;
          actor.send({ type: "tick" });
          return actor.getSnapshot().context.index;
        };
        const whole = async () => {
          come.whole(timeline);
          await waitFor(actor, (snapshot) => snapshot.matches("ready"));
          return actor.getSnapshot();
        };
        return {
          actor,
          after,
          prefix: (count: number) => come.prefix(beginning(count)),
          whole,
          plays: () => actor.getSnapshot().hasTag("playing"),
        };
      };
      const asked = reading(newest);
      asked.prefix(3);
      expect(asked.plays()).toBe(false);
      asked.actor.send({ type: "play" });
      expect([asked.after(0), asked.after(500), asked.after(60_000), asked.plays()]).toEqual([
        0,
        1,
        2,
        true,
      ]);
      asked.actor.send({ type: "pause" });
      asked.actor.send({ type: "play" });
      expect(asked.after(0)).toBe(2);
      asked.prefix(4);
      expect([asked.after(599), asked.after(1), asked.after(60_000), asked.plays()]).toEqual([
        2,
        3,
        3,
        true,
      ]);
      const { context } = await asked.whole();
      expect([
        context.index,
        asked.plays(),
        asked.after(600),
        asked.after(60_000),
        asked.plays(),
      ]).toEqual([3, true, 4, last, false]);

      const byItself = reading({ ...version(2), play: true, speed: 2 });
      byItself.prefix(1);
      expect(byItself.plays()).toBe(false);
      byItself.prefix(3);
      expect([byItself.plays(), byItself.after(0), byItself.after(250)]).toEqual([true, 1, 2]);
      byItself.actor.send({ type: "skip", ms: -5_000 });
      byItself.actor.send({ type: "pause" });
      expect([(await byItself.whole()).context.index, byItself.plays()]).toEqual([0, false]);

      const elsewhere = reading({ ...version(2), play: true });
      elsewhere.prefix(3);
      elsewhere.actor.send({ type: "at", at: { version: 5, edit: null } });
      expect(elsewhere.plays()).toBe(false);
      expect([(await elsewhere.whole()).context.index, elsewhere.plays()]).toEqual([4, false]);

      const dragged = reading(newest);
      dragged.prefix(4);
      dragged.actor.send({ type: "play" });
      dragged.actor.send({ type: "scrub", index: 1 });
      expect((await dragged.whole()).matches({ ready: "seeking" })).toBe(true);
      dragged.actor.send({ type: "scrubbed" });
      expect([dragged.after(0), dragged.plays()]).toEqual([1, true]);
    },
  );

  it("fails when a history cannot be read, and loads it on retry", async () => {
    let tries = 0;
    const load = () =>
      tries++ === 0 ? Promise.reject(new Error("gone")) : Promise.resolve(timeline);
    const actor = createActor(replayMachine, machineAt({ now: () => 0 }, newest, load)).start();
    await waitFor(actor, (snapshot) => snapshot.matches("failed"));
    actor.send({ type: "retry" });
    expect((await waitFor(actor, (snapshot) => snapshot.matches("ready"))).context.index).toBe(
      last,
    );
  });
});
