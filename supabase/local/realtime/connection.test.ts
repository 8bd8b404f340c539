import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, settled } from "./fake-client";
import type { FakeServer } from "./fake-client";
import { withIds } from "./postgres-changes";

const versions = ["1.0.0", "2.0.0"] as const;

describe.each(versions)("a connection of version %s", (version) => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  it("[RT-5] answers heartbeats", () => {
    const ana = server.connect({ version });
    ana.send(null, "7", "phoenix", "heartbeat", {});
    expect(ana.take()).toEqual([
      {
        joinRef: null,
        ref: "7",
        topic: "phoenix",
        event: "phx_reply",
        payload: { status: "ok", response: {} },
      },
    ]);
  });

  it("[RT-2] drops malformed frames and stays open", async () => {
    const ana = server.connect({ version });
    ana.text("{");
    ana.text('"text"');
    ana.text(version === "1.0.0" ? '["1","1","t","e",{}]' : '{"topic":"t"}');
    ana.connection.receive(Buffer.from([9, 9]), true);
    expect(ana.take()).toEqual([]);
    expect(server.log).toHaveLength(4);
    expect((await ana.join("realtime:a"))?.payload).toMatchObject({ status: "ok" });
  });

  it("[RT-6] answers a join first, and pushes after it", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a", { presence: { enabled: true } });
    expect(ana.take()).toEqual([
      {
        joinRef: version === "1.0.0" ? null : "1",
        ref: "1",
        topic: "realtime:a",
        event: "phx_reply",
        payload: { status: "ok", response: { postgres_changes: [] } },
      },
      {
        joinRef: version === "1.0.0" ? null : "1",
        ref: null,
        topic: "realtime:a",
        event: "presence_state",
        payload: {},
      },
    ]);
  });

  it("[RT-6] refuses topics that are not its own, and a topic without a name", async () => {
    const ana = server.connect({ version });
    expect((await ana.join("room:1"))?.payload).toEqual({
      status: "error",
      response: { reason: "unmatched topic" },
    });
    ana.send("1", "1", "realtime:", "phx_join", {});
    await settled();
    server.clock.advance(100);
    await settled();
    expect(ana.last("phx_reply")?.payload).toEqual({
      status: "error",
      response: { reason: "TopicNameRequired: You must provide a topic name" },
    });
  });

  it("[RT-6] ends the earlier channel when a topic is joined again, after the reply", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a");
    ana.take();
    await ana.join("realtime:a", {}, {}, "2");
    const seen = ana.take();
    expect(seen.map(({ event, ref }) => [event, ref])).toEqual([
      ["phx_reply", "2"],
      ["phx_close", "1"],
    ]);
    ana.send("2", "3", "realtime:a", "access_token", {});
    expect(ana.connection.channelCount).toBe(1);
  });

  it("[RT-6] ends the earlier channel also when the new join is refused", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a");
    ana.take();
    server.policies.read = { broadcast: false, presence: false };
    ana.send("2", "2", "realtime:a", "phx_join", { config: { private: true } });
    await settled();
    server.clock.advance(100);
    await settled();
    expect(ana.take().map(({ event, ref }) => [event, ref])).toEqual([
      ["phx_reply", "2"],
      ["phx_close", "1"],
    ]);
    expect(ana.connection.channelCount).toBe(0);
  });

  it("[RT-7] leaves a channel with a reply and a close", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a");
    ana.take();
    ana.send("1", "2", "realtime:a", "phx_leave", {});
    expect(ana.take().map(({ event, ref, payload }) => [event, ref, payload])).toEqual([
      ["phx_reply", "2", { status: "ok", response: {} }],
      ["phx_close", "1", {}],
    ]);
    ana.send("1", "3", "realtime:a", "broadcast", { event: "x" });
    expect(ana.take()).toMatchObject([
      { ref: "3", payload: { status: "error", response: { reason: "unmatched topic" } } },
    ]);
  });

  it("[RT-7] ignores a leave of an earlier join, and confirms leaving an unjoined topic", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a");
    ana.take();
    ana.send("0", "2", "realtime:a", "phx_leave", {});
    expect(ana.take()).toEqual([]);
    ana.send("1", "3", "realtime:b", "phx_leave", {});
    expect(ana.take()).toMatchObject([{ ref: "3", payload: { status: "ok" } }]);
    ana.send(null, "4", "realtime:a", "phx_leave", {});
    expect(ana.connection.channelCount).toBe(0);
  });

  it("[RT-8] serves a message whose join_ref is stale or missing", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a", { broadcast: { ack: true } }, {}, "5");
    ana.take();
    for (const joinRef of ["4", null])
      ana.send(joinRef, "6", "realtime:a", "broadcast", {
        type: "broadcast",
        event: "x",
        payload: {},
      });
    for (const joinRef of ["4", null])
      ana.send(joinRef, "7", "realtime:a", "presence", { type: "presence", event: "untrack" });
    expect(ana.take().map(({ ref, payload }) => [ref, payload])).toEqual(
      ["6", "6", "7", "7"].map((ref) => [ref, { status: "ok", response: {} }]),
    );
  });

  it("[RT-8] logs an unknown event and does not answer it", async () => {
    const ana = server.connect({ version });
    await ana.join("realtime:a");
    ana.take();
    ana.send("1", "2", "realtime:a", "potato", {});
    expect(ana.take()).toEqual([]);
    expect(server.log.join()).toContain("potato");
  });
});

describe("a connection", () => {
  it("[RT-9] handles its frames one after the other, while others are served", async () => {
    const server = fakeServer();
    const ana = server.connect();
    const ben = server.connect();
    ana.send("1", "1", "realtime:a", "phx_join", { config: { private: true } });
    ana.send(null, "2", "phoenix", "heartbeat", {});
    ben.send(null, "1", "phoenix", "heartbeat", {});
    expect(ben.events()).toEqual(["phx_reply"]);
    expect(ana.events()).toEqual([]);
    await settled();
    expect(ana.take().map(({ ref }) => ref)).toEqual(["1", "2"]);
  });

  it("[RT-9] stops reading from a client that sends faster than it is served", async () => {
    const server = fakeServer();
    const ana = server.connect();
    ana.send("1", "1", "realtime:a", "phx_join", { config: { private: true } });
    for (let ref = 2; ref < 80; ref += 1) ana.send(null, String(ref), "phoenix", "heartbeat", {});
    expect(ana.paused).toBe(true);
    await settled();
    expect(ana.paused).toBe(false);
    expect(ana.take().map(({ ref }) => ref)).toEqual(
      Array.from({ length: 79 }, (_, index) => String(index + 1)),
    );
  });

  it("[RT-9] stops reading earlier from a client with large frames", async () => {
    const server = fakeServer();
    const ana = server.connect();
    ana.send("1", "1", "realtime:a", "phx_join", { config: { private: true } });
    const large = { text: "x".repeat(3_000_000) };
    for (const ref of ["2", "3"]) ana.send(null, ref, "phoenix", "heartbeat", large);
    expect(ana.paused).toBe(false);
    ana.send(null, "4", "phoenix", "heartbeat", large);
    expect(ana.paused).toBe(true);
    await settled();
    expect(ana.paused).toBe(false);
    expect(ana.take().map(({ ref }) => ref)).toEqual(["1", "2", "3", "4"]);
  });

  it("[RT-6] keeps a refused join waiting for the back-off", async () => {
    const server = fakeServer();
    server.policies.read = { broadcast: false, presence: false };
    const ana = server.connect();
    expect(await ana.join("realtime:a", { private: true })).toBeUndefined();
    ana.send(null, "2", "phoenix", "heartbeat", {});
    await settled();
    expect(ana.events()).toEqual([]);
    server.clock.advance(100);
    await settled();
    expect(ana.take().map(({ ref }) => ref)).toEqual(["1", "2"]);
  });

  it("[RT-7] leaves every topic when the socket is gone, also during a join", async () => {
    const server = fakeServer();
    const ana = server.connect();
    await ana.join("realtime:a");
    ana.send("2", "2", "realtime:b", "phx_join", { config: { private: true } });
    ana.connection.end();
    await settled();
    expect(server.hub.topics.find("a", false)).toBeUndefined();
    expect(server.hub.topics.find("b", true)).toBeUndefined();
    expect(server.hub.usage.connected.size).toBe(0);
  });

  it("[RT-13] announces on every channel that the server disconnects", async () => {
    const server = fakeServer();
    const ana = server.connect();
    await ana.join("realtime:a");
    ana.take();
    ana.connection.disconnect(1012, true);
    expect(ana.take()).toMatchObject([
      {
        event: "system",
        payload: { extension: "system", status: "ok", message: "Server requested disconnect" },
      },
    ]);
    expect(ana.closed).toBe(1012);
  });

  it("[RT-8] ends a channel after a fault in it, and stays open", async () => {
    const server = fakeServer();
    const ana = server.connect();
    await ana.join("realtime:a", { private: true });
    ana.take();
    server.hub.authorizer.read = () => Promise.reject(new TypeError("broken"));
    ana.send("1", "2", "realtime:a", "access_token", {
      access_token: server.token({ sub: "new" }),
    });
    await settled();
    expect(ana.take()).toMatchObject([{ event: "phx_error", joinRef: "1", payload: {} }]);
    expect(server.log.join()).toContain("broken");
    ana.send(null, "3", "phoenix", "heartbeat", {});
    expect(ana.events()).toEqual(["phx_reply"]);
  });

  it("[RT-22] echoes unsupported postgres_changes with ids, and reports them", async () => {
    const server = fakeServer();
    const ana = server.connect();
    const change = { event: "INSERT", schema: "public", table: "x" };
    const reply = await ana.join("realtime:a", {
      postgres_changes: [change, { ...change }, { ...change, event: "*" }],
    });
    const [first, second] = withIds([change, { ...change, event: "*" }]);
    expect(reply?.payload).toEqual({
      status: "ok",
      response: { postgres_changes: [first, first, second] },
    });
    expect(first).toMatchObject({ ...change, id: expect.any(Number) });
    expect(first?.id).not.toBe(second?.id);
    expect(ana.last("system")?.payload).toEqual({
      extension: "postgres_changes",
      status: "error",
      channel: "a",
      message:
        "postgres_changes is not offered by the embedded backend: send changes with " +
        "realtime.send or realtime.broadcast_changes. Unable to subscribe to [event: INSERT, " +
        "schema: public, table: x, filters: [], select: nil]",
    });
  });
});
