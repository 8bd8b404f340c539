import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, keys } from "./fake-client";
import type { FakeClient, FakeServer } from "./fake-client";
import { handleBroadcast } from "./http";

const base = "http://localhost:3000/realtime/v1/api/broadcast";

describe("a broadcast by HTTP", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  async function listener(isPrivate = false): Promise<FakeClient> {
    const client = server.connect();
    await client.join("realtime:a", { private: isPrivate });
    client.take();
    return client;
  }

  async function post(
    url: string,
    body: BodyInit,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: unknown }> {
    const request = new Request(url, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${server.token()}`, ...headers },
    });
    const response = await handleBroadcast(server.hub, request);
    const text = (await response?.text()) ?? "";
    return { status: response?.status ?? 0, body: text === "" ? null : JSON.parse(text) };
  }

  const json = { "content-type": "application/json" };
  const batch = (...messages: unknown[]) => JSON.stringify({ messages });
  const message = { topic: "a", event: "x", payload: { n: 1 } };

  it("[RT-80] requires a token or a key", async () => {
    const ask = (headers: Record<string, string>) =>
      handleBroadcast(
        server.hub,
        new Request(base, { method: "POST", body: batch(message), headers }),
      );
    const statuses = async (...all: Record<string, string>[]) =>
      Promise.all(all.map(async (headers) => (await ask(headers))?.status));
    expect(
      await statuses({}, { authorization: "Bearer potato" }, { apikey: "sb_secret_wrong" }),
    ).toEqual([401, 401, 401]);
    expect(
      await statuses(
        { apikey: keys.publishableKey },
        { authorization: `bearer ${keys.publishableKey}` },
      ),
    ).toEqual([202, 202]);
  });

  it("[RT-80] leaves other paths and methods alone", async () => {
    expect(
      await handleBroadcast(server.hub, new Request("http://localhost/realtime/v1/api/tenants")),
    ).toBeNull();
    expect((await handleBroadcast(server.hub, new Request(base)))?.status).toBe(405);
  });

  it("[RT-81] delivers a batch, with the id as meta", async () => {
    const ana = await listener();
    expect(
      await post(`${base}?apikey=x&vsn=2.0.0`, batch(message, { ...message, id: "m1" })),
    ).toEqual({ status: 202, body: null });
    expect(ana.take().map(({ payload }) => payload)).toEqual([
      { type: "broadcast", event: "x", payload: { n: 1 } },
      { type: "broadcast", event: "x", payload: { n: 1 }, meta: { id: "m1" } },
    ]);
  });

  it("[RT-82] asks the database about a hundred private topics of a batch, and refuses more", async () => {
    const topics = (count: number) =>
      batch(
        ...Array.from({ length: count }, (_, at) => ({
          ...message,
          topic: `t${at}`,
          private: true,
        })),
      );
    const asked = () => server.policies.asked.length;
    expect([(await post(base, topics(100))).status, asked()]).toEqual([202, 100]);
    expect([(await post(base, topics(101))).status, asked()]).toEqual([429, 100]);
  });

  it("[RT-81] refuses a whole batch for one bad message, and names what is wrong", async () => {
    const ana = await listener();
    expect(
      await post(base, batch({ topic: "a" }, message, { ...message, payload: "text" })),
    ).toEqual({
      status: 422,
      body: {
        errors: {
          messages: [
            { event: ["can't be blank"], payload: ["can't be blank"] },
            {},
            { payload: ["is invalid"] },
          ],
        },
      },
    });
    const large = { ...message, payload: { text: "x".repeat(3_000_600) } };
    expect(await post(base, batch(large))).toMatchObject({
      status: 422,
      body: { errors: { messages: [{ payload: ["Payload size exceeds tenant limit"] }] } },
    });
    expect((await post(base, "{}")).status).toBe(422);
    expect((await post(base, "not json")).status).toBe(422);
    expect(ana.take()).toEqual([]);
  });

  it("[RT-82] checks each private topic once, and silently skips denied messages", async () => {
    const ana = await listener(true);
    expect(
      (await post(base, batch({ ...message, private: true }, { ...message, private: true })))
        .status,
    ).toBe(202);
    expect(ana.take()).toHaveLength(2);
    expect(server.policies.asked.map(({ what }) => what)).toEqual(["read", "write"]);
    server.policies.write = { broadcast: false, presence: true };
    expect((await post(base, batch({ ...message, private: true }))).status).toBe(202);
    server.policies.fault = "policy";
    expect((await post(base, batch({ ...message, private: true }))).status).toBe(202);
    expect(ana.take()).toEqual([]);
  });

  it("[RT-83] delivers a single message byte for byte", async () => {
    const ana = await listener();
    expect((await post(`${base}/a/events/x`, '{"n": 1}', json)).status).toBe(202);
    expect(
      (
        await post(`${base}/a/events/x`, Buffer.from([1, 255]), {
          "content-type": "application/octet-stream",
        })
      ).status,
    ).toBe(202);
    expect((await post(`${base}/a/events/x`, "[1]", json)).status).toBe(202);
    const head = (encoding: number) =>
      Buffer.concat([Buffer.from([4, 10, 1, 0, encoding]), Buffer.from("realtime:ax")]);
    expect(ana.binary).toEqual([
      Buffer.concat([head(1), Buffer.from('{"n": 1}')]),
      Buffer.concat([head(0), Buffer.from([1, 255])]),
      Buffer.concat([head(1), Buffer.from('{"_json":[1]}')]),
    ]);
  });

  it("[RT-83] finds a topic whose name is encoded in the path", async () => {
    const ana = server.connect();
    await ana.join("realtime:room:1/ä");
    expect(
      (
        await post(
          `${base}/${encodeURIComponent("room:1/ä")}/events/${encodeURIComponent("a b")}`,
          "{}",
          json,
        )
      ).status,
    ).toBe(202);
    expect(ana.binary[0]?.toString()).toContain("a b");
    expect((await post(`${base}/%zz/events/x`, "{}", json)).status).toBe(400);
  });

  it("[RT-83] refuses unknown content types, bad JSON and large bodies", async () => {
    expect(await post(`${base}/a/events/x`, "text", { "content-type": "text/plain" })).toEqual({
      status: 415,
      body: { error: "Unsupported Media Type. Use application/json or application/octet-stream" },
    });
    expect((await post(`${base}/a/events/x`, "{", json)).status).toBe(400);
    expect(
      await post(`${base}/a/events/x`, Buffer.alloc(3_000_600), {
        "content-type": "application/octet-stream",
      }),
    ).toEqual({
      status: 422,
      body: { errors: { payload: ["Payload size exceeds tenant limit"] } },
    });
    expect(
      (
        await post(`${base}/a/events/x`, Buffer.alloc(5_000_001), {
          "content-type": "application/octet-stream",
        })
      ).status,
    ).toBe(413);
  });

  it("[RT-82] refuses a single private message that may not be sent", async () => {
    const ana = await listener(true);
    const url = `${base}/a/events/x?private=true`;
    expect((await post(url, "{}", { ...json, "x-own": "yes" })).status).toBe(202);
    expect(server.policies.asked.at(-1)).toMatchObject({
      what: "write",
      context: { topic: "a", headers: { "x-own": "yes" } },
    });
    server.policies.write = { broadcast: false, presence: true };
    expect(await post(url, "{}", json)).toEqual({ status: 403, body: { message: "Unauthorized" } });
    server.policies.fault = "partition";
    expect(await post(url, "{}", json)).toEqual({
      status: 422,
      body: { message: "Missing messages partition" },
    });
    expect(ana.binary).toHaveLength(1);
  });

  it("[RT-54] is refused when the plan has no message left", async () => {
    server = fakeServer("free");
    const many = Array.from({ length: 101 }, () => message);
    expect(await post(base, batch(...many))).toEqual({
      status: 429,
      body: { message: "Too many messages to broadcast, please reduce the batch size" },
    });
    server.hub.usage.messages.add(5000);
    server.clock.advance(5000);
    const tooFast = { status: 429, body: { message: "You have exceeded your rate limit" } };
    expect(await post(base, batch(message))).toEqual(tooFast);
    expect(await post(`${base}/a/events/x`, "{}", json)).toEqual(tooFast);
  });
});
