import { describe, expect, it } from "vitest";
import type { ChannelState, Transport, TransportListener } from "./channel";
import { createChannels } from "./channel-hub";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";

type Join = {
  topic: string;
  listener: TransportListener;
  sent: string[];
  tracked: unknown[];
  closed: boolean;
};

function world() {
  const clock = new VirtualClock();
  const joins: Join[] = [];
  const state = {
    topic: "document:d:1" as string | null,
    topics: {} as Record<string, string>,
    refreshed: 0,
    fails: false,
    latency: 0,
    /** The number of queries of the topic. */
    asked: 0,
  };
  const transport: Transport = {
    async refresh() {
      state.refreshed += 1;
    },
    join(topic, listener) {
      const join: Join = { topic, listener, sent: [], tracked: [], closed: false };
      joins.push(join);
      return {
        send: (event) => join.sent.push(event),
        track: (payload) => join.tracked.push(payload),
        close: async () => {
          join.closed = true;
        },
      };
    },
  };
  const channels = createChannels({
    transport,
    topic: async (stream) => {
      state.asked += 1;
      if (state.latency > 0) await clock.wait(state.latency);
      if (state.fails) throw new Error("no answer");
      return state.topics[stream] ?? state.topic;
    },
    clock,
    random: seededRandom(1),
  });
  const last = () => joins.at(-1) ?? expect.fail("nothing was joined");
  return { clock, joins, state, channels, last };
}

describe("the hub of live channels", () => {
  it("takes a fresh token before it joins the topic", async () => {
    const { clock, joins, state, channels } = world();
    channels.subscribe("d", {});
    await clock.advance(0);
    expect(state.refreshed).toBe(1);
    expect(joins.map(({ topic }) => topic)).toEqual(["document:d:1"]);
  });

  it("shares one channel among the listeners of a stream and leaves it with the last", async () => {
    const { clock, joins, channels, last } = world();
    const heard: string[] = [];
    const [one, two] = ["one", "two"].map((name) =>
      channels.subscribe("d", { broadcast: () => heard.push(name) }),
    );
    await clock.advance(0);
    last().listener.joined();
    last().listener.broadcast("hello", {});
    expect(heard).toEqual(["one", "two"]);
    one?.close();
    expect(last().closed).toBe(false);
    two?.close();
    expect(last().closed).toBe(true);
    expect(joins).toHaveLength(1);
  });

  it("sends nothing while it is not joined", async () => {
    const { clock, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    expect(subscription.send("early", {})).toBe(false);
    last().listener.joined();
    expect(subscription.send("now", {})).toBe(true);
    expect(last().sent).toEqual(["now"]);
  });

  it("[SYNC-10] rejoins with a new channel after growing pauses, and ignores the old one", async () => {
    const { clock, joins, state, channels, last } = world();
    const states: ChannelState[] = [];
    const heard: string[] = [];
    channels.subscribe("d", {
      state: (now) => states.push(now),
      broadcast: (event) => heard.push(event),
    });
    await clock.advance(0);
    last().listener.joined();
    const old = last();
    old.listener.lost({ text: "closed", limited: false });
    expect(states.at(-1)).toBe("waiting");
    await clock.advance(300);
    expect(joins).toHaveLength(2);
    expect(state.refreshed).toBe(2);
    old.listener.broadcast("late", {});
    expect(heard).toEqual([]);
    for (let round = 0; round < 6; round += 1) {
      last().listener.lost({ text: "closed", limited: false });
      await clock.advance(20_000);
    }
    const before = joins.length;
    last().listener.lost({ text: "closed", limited: false });
    await clock.advance(4_000);
    expect(joins).toHaveLength(before);
    channels.wake();
    await clock.advance(0);
    expect(joins).toHaveLength(before + 1);
  });

  it("[SYNC-10] moves to a new epoch at once, and reports lost access", async () => {
    const { clock, joins, state, channels, last } = world();
    const states: ChannelState[] = [];
    channels.subscribe("d", { state: (now) => states.push(now) });
    await clock.advance(0);
    last().listener.joined();
    last().listener.broadcast("moved", {});
    await clock.advance(0);
    expect(joins, "a forged move changes nothing").toHaveLength(1);
    state.topic = "document:d:2";
    last().listener.broadcast("moved", {});
    await clock.advance(0);
    expect(joins.map(({ topic, closed }) => [topic, closed])).toEqual([
      ["document:d:1", true],
      ["document:d:2", false],
    ]);
    last().listener.joined();
    state.topic = null;
    last().listener.broadcast("moved", {});
    await clock.advance(0);
    expect(states.at(-1)).toBe("gone");
    expect(last().closed).toBe(true);
  });

  it("[LOG-27] moves the documents of a workspace with it, and no document with another", async () => {
    const { clock, joins, state, channels } = world();
    const name = (epoch: number) => {
      state.topics = {
        w: `workspace:w:${epoch}`,
        one: `document:one:${epoch}`,
        two: `document:two:${epoch}`,
      };
    };
    name(1);
    const [, one, two] = ["w", "one", "two"].map((stream) => channels.subscribe(stream, {}));
    await clock.advance(0);
    for (const { listener } of joins) listener.joined();
    const [workspace, document] = joins;
    name(2);
    workspace?.listener.broadcast("moved", {});
    expect([one?.send("secret", {}), two?.send("secret", {})]).toEqual([false, false]);
    await clock.advance(0);
    expect(joins.map(({ topic, closed }) => [topic, closed])).toEqual([
      ["workspace:w:1", true],
      ["document:one:1", true],
      ["document:two:1", true],
      ["workspace:w:2", false],
      ["document:one:2", false],
      ["document:two:2", false],
    ]);
    for (const { listener } of joins.slice(3)) listener.joined();
    document?.listener.broadcast("moved", {});
    joins[4]?.listener.broadcast("moved", {});
    expect([one?.send("word", {}), two?.send("word", {})]).toEqual([false, true]);
  });

  it("[LOG-27] moves documents of an earlier epoch when the channel of their workspace joins", async () => {
    const { clock, joins, state, channels } = world();
    state.topics = { w: "workspace:w:2", one: "document:one:1", two: "document:two:2" };
    const [one, two] = ["one", "two", "w"].map((stream) => channels.subscribe(stream, {}));
    await clock.advance(0);
    state.topics["one"] = "document:one:2";
    for (const { listener } of joins) listener.joined();
    expect([one?.send("secret", {}), two?.send("word", {})]).toEqual([false, true]);
    await clock.advance(0);
    expect(joins.at(-1)?.topic).toBe("document:one:2");
  });

  it("[SYNC-60] sends nothing on a topic that may have moved, however often it has to ask", async () => {
    const { clock, joins, state, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    state.fails = true;
    last().listener.broadcast("moved", {});
    expect(subscription.send("secret", {})).toBe(false);
    await clock.advance(10_000);
    expect(subscription.send("secret", {})).toBe(false);
    state.fails = false;
    await clock.advance(2_000);
    expect(subscription.send("forged move", {})).toBe(true);
    state.topic = "document:d:2";
    last().listener.broadcast("moved", {});
    expect(subscription.send("secret", {})).toBe(false);
    await clock.advance(0);
    last().listener.joined();
    expect(subscription.send("moved", {})).toBe(true);
    expect(joins.map(({ sent }) => sent)).toEqual([["forged move"], ["moved"]]);
  });

  it("[SYNC-107] limits its questions under endless `moved` messages, keeps sending, and hears the true one", async () => {
    const { clock, joins, state, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    const before = state.asked;
    for (let forged = 0; forged < 500; forged += 1) {
      last().listener.broadcast("moved", {});
      await clock.advance(20);
    }
    // The limit is four queries at once, then four every two seconds.
    expect(state.asked - before).toBeLessThanOrEqual(4 * 6);
    await clock.advance(2_000);
    expect(subscription.send("word", {})).toBe(true);
    expect(joins).toHaveLength(1);
    state.topic = "document:d:2";
    for (let forged = 0; forged < 10; forged += 1) last().listener.broadcast("moved", {});
    expect(subscription.send("secret", {})).toBe(false);
    await clock.advance(2_000);
    expect(joins.at(-1)?.topic).toBe("document:d:2");
  });

  it("[SYNC-60] ignores an answer to a question that is older than the last move", async () => {
    const { clock, state, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    state.latency = 100;
    last().listener.broadcast("moved", {});
    await clock.advance(60);
    last().listener.broadcast("moved", {});
    await clock.advance(60);
    expect(subscription.send("early", {})).toBe(false);
    await clock.advance(60);
    expect(subscription.send("known", {})).toBe(true);
  });

  it("notices a missed move within a minute", async () => {
    const { clock, joins, state, channels, last } = world();
    channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    state.topic = "document:d:2";
    await clock.advance(60_000);
    expect(joins.at(-1)?.topic).toBe("document:d:2");
  });

  it("[SYNC-12] makes fewer than six presence calls in thirty seconds, and ends with the newest", async () => {
    const { clock, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    for (let index = 0; index < 20; index += 1) {
      subscription.track({ index });
      await clock.advance(500);
    }
    expect(last().tracked.length).toBeLessThanOrEqual(5);
    await clock.advance(30_000);
    expect(last().tracked.length).toBeLessThanOrEqual(6);
    expect(last().tracked.at(-1)).toEqual({ index: 19 });
  });

  it("[SYNC-12] sends the newest presence within thirty seconds even if the clock is set back", async () => {
    const { clock, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    for (let index = 0; index < 6; index += 1) subscription.track({ index });
    clock.set(-3_600_000);
    subscription.track({ index: 6 });
    await clock.advance(31_000);
    expect(last().tracked.at(-1)).toEqual({ index: 6 });
  });

  it("waits longer after the server closed the channel for too many messages, and counts it", async () => {
    const { clock, joins, channels, last } = world();
    const subscription = channels.subscribe("d", {});
    await clock.advance(0);
    last().listener.joined();
    last().listener.lost({ text: "Too many messages per second", limited: true });
    await clock.advance(2_000);
    expect(joins).toHaveLength(1);
    await clock.advance(5_000);
    expect(joins).toHaveLength(2);
    expect(subscription.limitHits()).toBe(1);
  });
});
