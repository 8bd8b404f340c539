import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, settled } from "./fake-client";
import type { FakeClient, FakeServer } from "./fake-client";
import type { Json, JsonObject } from "./frames/frame";

const topic = "realtime:a";
const enabled = { presence: { enabled: true, key: "ana" } };

describe("presence on a channel", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  async function joined(config: JsonObject = enabled): Promise<FakeClient> {
    const client = server.connect();
    await client.join(topic, config);
    client.take();
    return client;
  }

  function track(client: FakeClient, payload: Json, ref = "2"): void {
    client.send("1", ref, topic, "presence", { type: "presence", event: "track", payload });
  }

  it("[RT-42] sends a track to every member, and its own diff before the reply", async () => {
    const [ana, ben] = [await joined(), await joined({})];
    track(ana, { at: 1 });
    expect(ana.events()).toEqual(["presence_diff", "phx_reply"]);
    const diff = {
      joins: { ana: { metas: [{ at: 1, phx_ref: expect.any(String) }] } },
      leaves: {},
    };
    expect(ben.take()).toMatchObject([{ joinRef: null, event: "presence_diff", payload: diff }]);
  });

  it("[RT-42] is shown to clients that join later", async () => {
    track(await joined(), { at: 1 });
    const ben = server.connect();
    await ben.join(topic, { presence: { enabled: true } });
    expect(ben.last("presence_state")?.payload).toMatchObject({ ana: { metas: [{ at: 1 }] } });
    const carol = server.connect();
    await carol.join(topic, { presence: { enabled: false } });
    expect(carol.events()).toEqual(["phx_reply"]);
  });

  it.each([
    [
      "untrack",
      (client: FakeClient) => client.send("1", "3", topic, "presence", { event: "UNTRACK" }),
    ],
    ["leave", (client: FakeClient) => client.send("1", "3", topic, "phx_leave", {})],
    ["lost connection", (client: FakeClient) => client.connection.end()],
    ["new join of the topic", (client: FakeClient) => void client.join(topic, enabled, {}, "2")],
  ])("[RT-43] ends with the %s", async (_, end) => {
    const [ana, ben] = [await joined(), await joined({})];
    track(ana, { at: 1 });
    ben.take();
    end(ana);
    await settled();
    expect(ben.take()).toMatchObject([
      { event: "presence_diff", payload: { joins: {}, leaves: { ana: { metas: [{ at: 1 }] } } } },
    ]);
  });

  it("[RT-44] is enabled by the first track", async () => {
    const ana = await joined({ private: true, presence: { key: "ana" } });
    track(ana, {});
    await settled();
    expect(ana.events()).toEqual(["presence_diff", "phx_reply"]);
    expect(server.policies.asked.map(({ what }) => what)).toEqual(["read", "read", "write"]);
  });

  it("[RT-45] checks the right to be present once", async () => {
    const ana = await joined({ private: true, ...enabled });
    for (const at of [1, 2, 3]) track(ana, { at });
    await settled();
    expect(server.policies.asked.map(({ what }) => what)).toEqual(["read", "write"]);
  });

  it("[RT-45] answers a track without the right with an error, and the channel stays", async () => {
    server.policies.write = { broadcast: true, presence: false };
    const ana = await joined({ private: true, ...enabled });
    track(ana, {});
    await settled();
    expect(ana.take()).toMatchObject([
      { event: "phx_reply", payload: { status: "error", response: {} } },
    ]);
    ana.send("1", "3", topic, "presence", { event: "untrack" });
    expect(ana.take()).toMatchObject([{ payload: { status: "ok" } }]);
  });

  it("[RT-45] is not shown to a client that may not see it", async () => {
    const ana = await joined({ private: true, ...enabled });
    server.policies.read = { broadcast: true, presence: false };
    const ben = await joined({ private: true, presence: { enabled: true } });
    track(ana, {});
    await settled();
    expect(ben.take()).toEqual([]);
  });

  it.each([
    [
      { event: "track", payload: "text" },
      { status: "error", response: { reason: "Presence track payload must be a map" } },
    ],
    [{ event: "potato" }, { status: "error", response: {} }],
    [{ event: 5 }, { status: "error", response: {} }],
    [{ payload: {} }, { status: "ok", response: {} }],
    [null, { status: "ok", response: {} }],
  ])("[RT-46] answers %j", async (payload, reply) => {
    const ana = await joined();
    ana.send("1", "2", topic, "presence", payload);
    expect(ana.take()).toMatchObject([{ event: "phx_reply", payload: reply }]);
  });

  it("[RT-52] closes a channel with a sixth call in thirty seconds, with or without a plan", async () => {
    const [ana, ben] = [await joined(), await joined({ presence: { enabled: true, key: "ben" } })];
    for (let at = 0; at < 5; at += 1) track(ana, { at: 0 });
    expect(ana.take().filter(({ event }) => event === "phx_reply")).toHaveLength(5);
    track(ana, { at: 6 });
    expect(
      ana
        .take()
        .map(({ event, payload }) => [event, payload])
        .slice(0, 2),
    ).toEqual([
      [
        "system",
        {
          extension: "system",
          status: "error",
          message: "Client presence rate limit exceeded",
          channel: "a",
        },
      ],
      ["phx_close", {}],
    ]);
    ben.take();
    track(ben, {});
    expect(ben.events()).toEqual(["presence_diff", "phx_reply"]);
  });

  it("[RT-53] closes a channel whose presence is too large", async () => {
    const ana = await joined();
    track(ana, { text: "x".repeat(3_000_600) });
    expect(ana.take()).toMatchObject([
      { payload: { message: "Track message size exceeded" } },
      { event: "phx_close" },
    ]);
  });

  it("[RT-54] closes a channel when the plan has no presence left", async () => {
    server = fakeServer("free");
    const ana = await joined();
    server.hub.usage.presence.add(1000);
    server.clock.advance(5000);
    track(ana, {});
    expect(ana.take()).toMatchObject([
      { payload: { message: "Too many presence messages per second" } },
      { event: "phx_close" },
    ]);
  });
});
