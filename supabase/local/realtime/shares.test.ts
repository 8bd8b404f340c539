import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, settled } from "./fake-client";
import type { FakeClient, FakeServer } from "./fake-client";
import type { JsonObject } from "./frames/frame";
import { mostOfJoin, mostPresence } from "./limits";
import { mostState } from "./presence";
import { perPerson } from "./shares";

const topic = "realtime:a";
const present = (key: string) => ({ presence: { enabled: true, key } });
const sized = (bytes: number) => ({
  text: "x".repeat(bytes - JSON.stringify({ text: "" }).length),
});
const refused = (reason: string) => ({ payload: { status: "error", response: { reason } } });

describe("the limits of one person", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  const connect = (sub: string) => server.connect({ token: server.token({ sub }) });

  /** Joins a topic and returns the response, without the delay of a refusal. */
  async function join(client: FakeClient, to = topic, config: JsonObject = {}) {
    client.take();
    await client.join(to, config);
    if (!client.events().includes("phx_reply")) {
      server.clock.advance(100);
      await settled();
    }
    return client.last("phx_reply");
  }

  function track(client: FakeClient, payload: JsonObject, to = topic) {
    client.take();
    client.send("1", "2", to, "presence", { event: "track", payload });
    return client.take().map(({ event, payload: content }) => [event, content] as const);
  }

  /** Tracks once the charge of earlier deliveries has drained (RT-124). */
  function trackRested(client: FakeClient, payload: JsonObject) {
    server.clock.advance(100);
    return track(client, payload);
  }

  /** Opens `count` channels of a person on a topic, each on its own connection. */
  async function many(count: number, sub: string, to = topic, config: JsonObject = {}) {
    const clients: FakeClient[] = [];
    for (let index = 0; index < count; index += 1) {
      const client = connect(sub);
      expect(await join(client, to, config)).toMatchObject({ payload: { status: "ok" } });
      clients.push(client);
    }
    return clients;
  }

  it.each([
    [mostPresence - 1, true],
    [mostPresence, true],
    [mostPresence + 1, false],
  ])("[RT-110] accepts %i bytes in a presence: %s", async (bytes, fits) => {
    const ana = connect("ana");
    const ben = connect("ben");
    await join(ben, topic, present("ben"));
    await join(ana, topic, present("ana"));
    ben.take();
    const answers = track(ana, sized(bytes));
    expect(ben.events()).toEqual(fits ? ["presence_diff"] : []);
    expect(answers.map(([event]) => event)).toEqual(
      fits ? ["presence_diff", "phx_reply"] : ["system", "phx_close"],
    );
    if (!fits)
      expect(answers[0]?.[1]).toMatchObject({
        message: "Track message size exceeded",
        status: "error",
      });
  });

  it(
    "[RT-111] keeps the presences of one person on a topic within their share, and keeps " +
      "the channel joined",
    async () => {
      const clients = await many(60, "mallory", topic, { presence: { enabled: true } });
      const outcomes = clients.map((client) => trackRested(client, sized(mostPresence)));
      const full = outcomes.filter((answers) =>
        JSON.stringify(answers.at(-1)).includes("Too many presences on this topic"),
      );
      expect(full.length).toBeGreaterThan(0);
      const ana = connect("ana");
      await join(ana, topic, present("ana"));
      const state = JSON.stringify(ana.last("presence_state")?.payload);
      expect(Buffer.byteLength(state)).toBeLessThanOrEqual(mostState.person);
      expect(Buffer.byteLength(state)).toBeGreaterThan(mostState.person * 0.95);
      expect(track(ana, { at: 1 }).map(([event]) => event)).toEqual(["presence_diff", "phx_reply"]);
      // A refused client still receives, and a client that leaves makes room.
      const last = clients.at(-1);
      expect(last?.events()).toContain("presence_diff");
      clients[0]?.connection.end();
      expect(last && track(last, sized(mostPresence)).at(-1)).toMatchObject([
        "phx_reply",
        { status: "ok" },
      ]);
    },
  );

  it("[RT-111] keeps all presences on a topic within what a newcomer can receive", async () => {
    // All clients join before the first presence: a later client would get a megabyte at once.
    const clients: FakeClient[] = [];
    for (let person = 0; person < 11; person += 1)
      clients.push(...(await many(45, `p${person}`, topic, present(`p${person}`))));
    for (const client of clients) {
      trackRested(client, sized(mostPresence));
      clients.forEach((each) => each.take());
    }
    const ana = connect("ana");
    await join(ana, topic, present("ana"));
    const state = Buffer.byteLength(JSON.stringify(ana.last("presence_state")?.payload ?? {}));
    expect(state).toBeLessThanOrEqual(mostState.topic);
    expect(state).toBeGreaterThan(mostState.topic * 0.9);
    expect(track(ana, sized(mostPresence))).toEqual([
      ["phx_reply", { status: "error", response: { reason: "Too many presences on this topic" } }],
    ]);
    expect(track(ana, { at: 1 }).at(-1)).toMatchObject(["phx_reply", { status: "ok" }]);
  });

  it("[RT-112] lets a person join a topic a hundred times, and others still", async () => {
    const clients = await many(perPerson.channelsOnTopic, "mallory");
    const more = connect("mallory");
    expect(await join(more)).toMatchObject(
      refused("ChannelRateLimitReached: Too many channels on this topic (one person may have 100)"),
    );
    expect(await join(connect("ben"))).toMatchObject({ payload: { status: "ok" } });
    clients[0]?.connection.end();
    expect(await join(more)).toMatchObject({ payload: { status: "ok" } });
    expect(await join(more)).toMatchObject({ payload: { status: "ok" } });
  });

  it("[RT-112] lets a connection join a hundred topics, and a person four hundred", async () => {
    const clients = [0, 1, 2, 3].map(() => connect("mallory"));
    for (const [index, client] of clients.entries()) {
      for (let count = 0; count < 100; count += 1) {
        expect(await join(client, `realtime:${index}-${count}`)).toMatchObject({
          payload: { status: "ok" },
        });
      }
    }
    // These ten seconds' joins are used up too.
    server.clock.advance(10_000);
    const [first] = clients;
    expect(first && (await join(first, "realtime:more"))).toMatchObject(
      refused("ChannelRateLimitReached: Too many channels"),
    );
    expect(await join(connect("mallory"))).toMatchObject(
      refused("ChannelRateLimitReached: Too many channels (one person may have 400)"),
    );
    expect(await join(connect("ben"))).toMatchObject({ payload: { status: "ok" } });
  });

  it("[RT-112] counts visitors by address, and not the service", async () => {
    const stranger = (address: string) =>
      server.connect({ token: server.token({ sub: null, role: "anon" }), address });
    for (let count = 0; count < perPerson.channelsOnTopic; count += 1)
      await join(stranger("10.0.0.1"));
    expect(await join(stranger("10.0.0.1"))).toMatchObject({ payload: { status: "error" } });
    expect(await join(stranger("10.0.0.2"))).toMatchObject({ payload: { status: "ok" } });
    const service = () =>
      server.connect({
        token: server.token({ sub: null, role: "service_role" }),
        address: "10.0.0.1",
      });
    for (let count = 0; count < perPerson.channelsOnTopic + 1; count += 1) {
      expect(await join(service())).toMatchObject({ payload: { status: "ok" } });
    }
  });

  it("[RT-112] counts channels that are joined at once", async () => {
    const clients = Array.from({ length: perPerson.channelsOnTopic + 20 }, () =>
      connect("mallory"),
    );
    for (const client of clients)
      client.send("1", "1", topic, "phx_join", { config: { private: true } });
    await settled();
    server.clock.advance(100);
    await settled();
    expect(
      clients.filter((client) => JSON.stringify(client.last("phx_reply")).includes('"ok"')),
    ).toHaveLength(perPerson.channelsOnTopic);
  });

  it("[RT-113] closes a connection whose person joins too often, and no other", async () => {
    const mallory = connect("mallory");
    for (let count = 0; count < perPerson.joins.most; count += 1)
      expect(await join(mallory)).toMatchObject({ payload: { status: "ok" } });
    const again = connect("mallory");
    expect(await join(again)).toMatchObject(
      refused("ClientJoinRateLimitReached: Too many joins per second"),
    );
    expect(again.closed).toBe(1001);
    expect(await join(connect("ben"))).toMatchObject({ payload: { status: "ok" } });
    server.clock.advance(10_000);
    expect(await join(connect("mallory"))).toMatchObject({ payload: { status: "ok" } });
  });

  it("[RT-114] counts presence calls of a person on a topic across channels that come and go", async () => {
    const most = perPerson.presenceCallsOnTopic.most;
    let calls = 0;
    let closed: FakeClient | null = null;
    while (closed === null && calls <= most) {
      const client = connect("mallory");
      await join(client, topic, present("m"));
      for (let call = 0; call < 5 && closed === null; call += 1) {
        if (track(client, { calls }).some(([event]) => event === "phx_close")) closed = client;
        else calls += 1;
      }
      if (closed === null) client.connection.end();
    }
    expect(calls).toBe(most);
    const ben = connect("ben");
    await join(ben, topic, present("ben"));
    expect(track(ben, { at: 1 }).at(-1)).toMatchObject(["phx_reply", { status: "ok" }]);
  });

  it.each([
    [mostOfJoin.topic, "ok"],
    [mostOfJoin.topic + 1, "error"],
  ])("[RT-115] answers a topic of %i bytes with %s", async (bytes, status) => {
    expect(await join(connect("ana"), `realtime:${"t".repeat(bytes)}`)).toMatchObject({
      payload: { status },
    });
  });

  it.each([
    [mostOfJoin.presenceKey, "ok"],
    [mostOfJoin.presenceKey + 1, "error"],
  ])("[RT-115] answers a presence key of %i bytes with %s", async (bytes, status) => {
    expect(await join(connect("ana"), topic, present("k".repeat(bytes)))).toMatchObject({
      payload: { status },
    });
  });

  it.each([
    [mostOfJoin.payload, "ok"],
    [mostOfJoin.payload + 1, "error"],
  ])("[RT-115] answers a join of %i bytes with %s", async (bytes, status) => {
    const frame = (filling: string) => ({ config: { filling } });
    const filling = "f".repeat(bytes - JSON.stringify(frame("")).length);
    expect(await join(connect("ana"), topic, { filling })).toMatchObject({ payload: { status } });
  });
});
