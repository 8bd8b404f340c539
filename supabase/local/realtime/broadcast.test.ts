import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, pushFrame, settled } from "./fake-client";
import type { FakeClient, FakeServer } from "./fake-client";
import type { JsonObject } from "./frames/frame";

const stroke = { type: "broadcast", event: "stroke", payload: { letter: "a" } };
const topic = "realtime:a";

function frame(payload: Buffer | string, encoding: 0 | 1 = 1): Buffer {
  return pushFrame({ joinRef: "1", ref: "9", topic, event: "stroke", encoding, payload });
}

describe("a broadcast", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  async function joined(
    config: JsonObject = {},
    version: "1.0.0" | "2.0.0" = "2.0.0",
  ): Promise<FakeClient> {
    const client = server.connect({ version });
    await client.join(topic, config);
    client.take();
    return client;
  }

  it("[RT-30] reaches all other members, unchanged and without references", async () => {
    const [ana, ben] = [await joined(), await joined()];
    ana.send("1", "2", topic, "broadcast", stroke);
    expect(ana.take()).toEqual([]);
    expect(ben.take()).toEqual([
      { joinRef: null, ref: null, topic, event: "broadcast", payload: stroke },
    ]);
  });

  it("[RT-30] may have a payload that is not an object", async () => {
    const [ana, ben] = [await joined(), await joined()];
    ana.send("1", "2", topic, "broadcast", { ...stroke, payload: "text" });
    expect(ben.take()).toMatchObject([{ payload: { payload: "text" } }]);
  });

  it("[RT-30] is dropped when it is not an object", async () => {
    const [ana, ben] = [await joined(), await joined()];
    ana.send("1", "2", topic, "broadcast", null);
    ana.send("1", "2", topic, "broadcast", "text");
    expect(ben.take()).toEqual([]);
  });

  it("[RT-31] returns to its own channel only on request, and to other tabs always", async () => {
    const ana = await joined({ broadcast: { self: true } });
    const otherTab = await joined();
    ana.send("1", "2", topic, "broadcast", stroke);
    expect(ana.take()).toMatchObject([{ event: "broadcast", payload: stroke }]);
    expect(otherTab.take()).toMatchObject([{ event: "broadcast", payload: stroke }]);
  });

  it("[RT-31] is acknowledged after it is sent, on request", async () => {
    const ana = await joined({ broadcast: { ack: true, self: true } });
    ana.send("1", "2", topic, "broadcast", stroke);
    expect(ana.take().map(({ event, ref }) => [event, ref])).toEqual([
      ["broadcast", null],
      ["phx_reply", "2"],
    ]);
  });

  it("[RT-32] does not cross between a public and a private channel of one name", async () => {
    const [ana, ben] = [await joined(), await joined({ private: true })];
    ana.send("1", "2", topic, "broadcast", stroke);
    ben.send("1", "2", topic, "broadcast", stroke);
    await settled();
    expect([...ana.take(), ...ben.take()]).toEqual([]);
  });

  it("[RT-4] of kind 3 arrives as kind 4, or as text in version 1.0.0", async () => {
    const [ana, ben, carol] = [await joined(), await joined(), await joined({}, "1.0.0")];
    ana.connection.receive(frame('{"letter": "a"}'), true);
    const header = Buffer.from([4, topic.length, 6, 0, 1]);
    expect(ben.binary).toEqual([
      Buffer.concat([header, Buffer.from(`${topic}stroke{"letter": "a"}`)]),
    ]);
    expect(carol.take()).toEqual([
      { joinRef: null, ref: null, topic, event: "broadcast", payload: stroke },
    ]);
  });

  it("[RT-4] of bytes arrives as bytes, and not at all in version 1.0.0", async () => {
    const [ana, ben, carol] = [await joined(), await joined(), await joined({}, "1.0.0")];
    ana.connection.receive(frame(Buffer.from([0, 255, 1]), 0), true);
    expect(ben.binary[0]?.subarray(-3)).toEqual(Buffer.from([0, 255, 1]));
    expect(carol.take()).toEqual([]);
  });

  it("[RT-4] of version 1.0.0 arrives as text in version 2.0.0", async () => {
    const [carol, ana] = [await joined({}, "1.0.0"), await joined()];
    carol.send("1", "2", topic, "broadcast", stroke);
    expect(ana.binary).toEqual([]);
    expect(ana.take()).toMatchObject([{ event: "broadcast", payload: stroke }]);
  });

  it("[RT-33] is encoded once per version for all listeners", async () => {
    const ana = await joined();
    const others = [await joined(), await joined(), await joined()];
    ana.connection.receive(frame("{}"), true);
    const [first, ...rest] = others.map(({ binary }) => binary[0]);
    expect(first).toBeInstanceOf(Buffer);
    for (const other of rest) expect(other).toBe(first);
  });

  it("[RT-53] that is too large is refused when acknowledged, and dropped otherwise", async () => {
    const [ana, ben] = [await joined({ broadcast: { ack: true } }), await joined()];
    const large = "x".repeat(3_000_600);
    ana.send("1", "2", topic, "broadcast", { ...stroke, payload: large });
    ana.connection.receive(frame(large, 0), true);
    ben.send("1", "2", topic, "broadcast", { ...stroke, payload: large });
    const refused = { status: "error", response: "payload_size_exceeded" };
    expect(ana.take().map(({ ref, payload }) => [ref, payload])).toEqual([
      ["2", refused],
      ["9", refused],
    ]);
    expect(ben.take()).toEqual([]);
    expect(ben.binary).toEqual([]);
  });

  describe("on a private channel", () => {
    const isPrivate = { private: true, broadcast: { ack: true } };

    it("[RT-34] checks the right to write at the first one only", async () => {
      const [ana, ben] = [await joined(isPrivate), await joined(isPrivate)];
      for (const ref of ["2", "3", "4"]) ana.send("1", ref, topic, "broadcast", stroke);
      await settled();
      expect(ben.take()).toHaveLength(3);
      expect(ana.take().map(({ ref }) => ref)).toEqual(["2", "3", "4"]);
      expect(server.policies.asked.map(({ what }) => what)).toEqual(["read", "read", "write"]);
    });

    it("[RT-34] is dropped silently when the right is missing or cannot be checked", async () => {
      server.policies.write = { broadcast: false, presence: true };
      const [ana, ben, carol] = [
        await joined(isPrivate),
        await joined(isPrivate),
        await joined(isPrivate),
      ];
      ana.send("1", "2", topic, "broadcast", stroke);
      server.policies.fault = "policy";
      carol.send("1", "2", topic, "broadcast", stroke);
      await settled();
      expect([...ana.take(), ...ben.take(), ...carol.take()]).toEqual([]);
    });

    it("[RT-34] does not reach a member that may only be present", async () => {
      const ana = await joined(isPrivate);
      server.policies.read = { broadcast: false, presence: true };
      const ben = await joined({ private: true, presence: { enabled: true } });
      ana.send("1", "2", topic, "broadcast", stroke);
      await settled();
      expect(ben.take()).toEqual([]);
    });
  });

  describe("under a plan", () => {
    it("[RT-54] closes the channel of a receiver of too many", async () => {
      server = fakeServer("free");
      const [ana, ben] = [await joined(), await joined()];
      for (let count = 0; count < 600; count += 1) ana.send("1", "2", topic, "broadcast", stroke);
      expect(ben.take()).toHaveLength(600);
      server.clock.advance(5000);
      ana.send("1", "2", topic, "broadcast", stroke);
      expect(ben.take().map(({ event, payload }) => [event, payload])).toEqual([
        ["broadcast", stroke],
        [
          "system",
          {
            extension: "system",
            status: "error",
            message: "Too many messages per second",
            channel: "a",
          },
        ],
        ["phx_close", {}],
      ]);
      expect(ana.take()).toEqual([]);
    });

    it("[RT-54] is limited only in size without one", async () => {
      const [ana, ben] = [await joined(), await joined()];
      for (let count = 0; count < 5000; count += 1) {
        ana.send("1", "2", topic, "broadcast", stroke);
        // The fastest rate that RT-124 allows one person.
        if (count % 1000 === 999) server.clock.advance(100);
      }
      server.clock.advance(5000);
      ana.send("1", "2", topic, "broadcast", stroke);
      expect(ben.take()).toHaveLength(5001);
    });

    it("[RT-55] refuses channels and joins above its limits", async () => {
      server = fakeServer("free");
      const ana = server.connect();
      for (let count = 0; count < 100; count += 1) await ana.join(`realtime:${count}`);
      expect(ana.connection.channelCount).toBe(100);
      ana.send("1", "x", "realtime:more", "phx_join", {});
      await settled();
      server.clock.advance(100);
      await settled();
      expect(ana.last("phx_reply")?.payload).toEqual({
        status: "error",
        response: { reason: "ChannelRateLimitReached: Too many channels" },
      });
      server.hub.usage.joins.add(1000);
      server.clock.advance(5000);
      const ben = server.connect();
      ben.send("1", "1", topic, "phx_join", {});
      await settled();
      server.clock.advance(100);
      await settled();
      expect(ben.take()).toMatchObject([
        {
          payload: {
            status: "error",
            response: { reason: "ClientJoinRateLimitReached: Too many joins per second" },
          },
        },
      ]);
      expect(ben.closed).toBe(1001);
    });

    it("[RT-55] counts a connection from its first join", async () => {
      server = fakeServer("free");
      server.hub.usage.limits.connections = 1;
      const [ana, ben] = [server.connect(), server.connect()];
      await ana.join(topic);
      await ana.join("realtime:b");
      ben.send("1", "1", topic, "phx_join", {});
      await settled();
      server.clock.advance(100);
      await settled();
      expect(ana.last("phx_reply")?.payload).toMatchObject({ status: "ok" });
      expect(ben.last("phx_reply")?.payload).toMatchObject({
        response: { reason: "ConnectionRateLimitReached: Too many connected users" },
      });
      ana.connection.end();
      expect((await ben.join(topic))?.payload).toMatchObject({ status: "ok" });
    });
  });
});
