import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeServer, settled } from "../fake-client";
import type { FakeClient, FakeServer } from "../fake-client";
import { mostJson } from "../frames/frame";
import { handleBroadcast } from "../http";
import { mostDeliveries } from "./deliveries";

const topic = "realtime:a";
const present = (key: string) => ({ presence: { enabled: true, key } });
afterEach(() => vi.restoreAllMocks());

/** Connects Ben, who listens on `count` channels. */
async function listeners(server: FakeServer, count: number): Promise<FakeClient[]> {
  const clients = Array.from({ length: count }, (_, at) =>
    server.connect({ token: server.token({ sub: `ben ${at}` }) }),
  );
  for (const [at, client] of clients.entries()) {
    await client.join(topic, present(`ben ${at}`));
    client.take();
  }
  return clients;
}

const heardBy = (clients: FakeClient[], event: string) =>
  clients.reduce((sum, client) => sum + client.events().filter((each) => each === event).length, 0);

/** Advances the clock in steps of 50 ms. */
async function pass(server: FakeServer, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 50) {
    server.clock.advance(50);
    await settled();
  }
}

describe("[RT-124] the cost of one person's frames to others", () => {
  const most = mostDeliveries.atOnce;

  it("a flood of broadcasts is throttled in order, and others are served beside it", async () => {
    const server = fakeServer();
    const others = await listeners(server, 100);
    const mallory = server.connect({ token: server.token({ sub: "mallory" }) });
    const carol = server.connect({ token: server.token({ sub: "carol" }) });
    await mallory.join(topic);
    await carol.join(topic);
    const flood = 400;
    for (let at = 0; at < flood; at += 1) {
      const payload = { type: "broadcast", event: "flood", payload: { at } };
      mallory.send("1", null, topic, "broadcast", payload);
    }
    await settled();
    const atFirst = heardBy(others, "broadcast");
    // The frame that exceeds the limit is still handled, and the next waits.
    expect(atFirst).toBeGreaterThanOrEqual(most);
    expect(atFirst).toBeLessThanOrEqual(most + 101);
    expect(mallory.paused).toBe(true);

    const word = { type: "broadcast", event: "word", payload: {} };
    carol.send("1", null, topic, "broadcast", word);
    await settled();
    expect(heardBy(others, "broadcast")).toBe(atFirst + 100);

    await pass(server, 1_000);
    const afterASecond = heardBy(others, "broadcast") - 100;
    expect(afterASecond).toBeLessThanOrEqual(most + mostDeliveries.aSecond + 101);
    await pass(server, 2_000);
    expect(mallory.paused).toBe(false);
    const floods = others[0]
      ?.take()
      .map(({ payload }) => JSON.parse(JSON.stringify(payload)).payload.at)
      .filter((at) => at !== undefined);
    expect(floods).toEqual(Array.from({ length: flood }, (_, at) => at));
  });

  it("a large broadcast counts by its bytes", async () => {
    const server = fakeServer();
    const others = await listeners(server, 10);
    const mallory = server.connect({ token: server.token({ sub: "mallory" }) });
    await mallory.join(topic);
    const payload = { type: "broadcast", event: "x", payload: { text: "x".repeat(1_000_000) } };
    for (let at = 0; at < 5; at += 1) mallory.send("1", null, topic, "broadcast", payload);
    await settled();
    expect(heardBy(others, "broadcast")).toBe(10);
    await pass(server, 1_000);
    expect(heardBy(others, "broadcast")).toBe(50);
  });

  it("presences over all connections of a person count together", async () => {
    const server = fakeServer();
    const others = await listeners(server, 50);
    const own = Array.from({ length: 100 }, () =>
      server.connect({ token: server.token({ sub: "mallory" }) }),
    );
    for (const client of own) await client.join(topic);
    for (const other of others) other.take();
    for (const [at, client] of own.entries())
      client.send("1", "2", topic, "presence", { event: "track", payload: { at } });
    await settled();
    const atFirst = heardBy(others, "presence_diff");
    expect(atFirst).toBeGreaterThan(0);
    expect(atFirst).toBeLessThanOrEqual(most + 150);
    await pass(server, 2_000);
    expect(heardBy(others, "presence_diff")).toBe(100 * others.length);
  });

  it("a batch over HTTP is throttled alike, and delivered whole", async () => {
    const server = fakeServer();
    const others = await listeners(server, 100);
    const messages = Array.from({ length: 60 }, (_, at) => ({
      topic: "a",
      event: "x",
      payload: { at },
    }));
    const answer = handleBroadcast(
      server.hub,
      new Request("http://localhost/realtime/v1/api/broadcast", {
        method: "POST",
        body: JSON.stringify({ messages }),
        headers: { authorization: `Bearer ${server.token({ sub: "mallory" })}` },
      }),
    );
    await settled();
    expect(heardBy(others, "broadcast")).toBeLessThanOrEqual(most + 100);
    await pass(server, 1_000);
    expect((await answer)?.status).toBe(202);
    expect(heardBy(others, "broadcast")).toBe(60 * others.length);
  });
});

describe("[RT-125] a JSON frame that is costly to parse", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  it.each([
    ["deep", nested(1_000_000)],
    ["of many values", `[${"0,".repeat(1_000_000)}0]`],
  ])("is dropped before it is parsed, and the connection stays open: %s", async (_, payload) => {
    const server = fakeServer();
    const mallory = server.connect();
    await mallory.join(topic, { broadcast: { self: true } });
    mallory.take();
    const parsed = vi.spyOn(JSON, "parse");
    mallory.text(`["1",null,"${topic}","broadcast",${payload}]`);
    const oldest = server.connect({ version: "1.0.0" });
    oldest.text(`{"topic":"${topic}","event":"broadcast","ref":null,"payload":${payload}}`);
    expect(parsed).not.toHaveBeenCalled();
    expect(server.log.filter((line) => line.includes("levels or"))).toHaveLength(2);
    parsed.mockRestore();
    const word = { type: "broadcast", event: "word", payload: {} };
    mallory.send("1", null, topic, "broadcast", word);
    await settled();
    expect(mallory.events()).toEqual(["broadcast"]);
  });

  it("is served up to the limits of depth and size", async () => {
    const server = fakeServer();
    const ana = server.connect();
    await ana.join(topic, { broadcast: { self: true } });
    ana.take();
    // The frame itself is an array, and its payload an object.
    const values = Array.from({ length: mostJson.values - 6 }, () => 0).join();
    for (const inner of [nested(mostJson.depth - 2), `[${values}]`])
      ana.text(`["1",null,"${topic}","broadcast",{"a":${inner}}]`);
    await settled();
    expect(ana.events()).toEqual(["broadcast", "broadcast"]);
  });
});
