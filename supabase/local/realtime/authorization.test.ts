import { beforeEach, describe, expect, it } from "vitest";
import { fakeServer, keys, settled, sign } from "./fake-client";
import type { FakeClient, FakeServer } from "./fake-client";
import type { JsonObject } from "./frames/frame";

const topic = "realtime:a";
const isPrivate = { private: true };

describe("authorization", () => {
  let server: FakeServer;
  beforeEach(() => {
    server = fakeServer();
  });

  async function refused(
    client: FakeClient,
    config: JsonObject = isPrivate,
    more: JsonObject = {},
    on = topic,
  ): Promise<unknown> {
    client.send("1", "1", on, "phx_join", { config, ...more });
    await settled();
    server.clock.advance(100);
    await settled();
    return client.last("phx_reply")?.payload;
  }

  async function joined(
    config: JsonObject = isPrivate,
    token = server.token(),
    on = topic,
  ): Promise<FakeClient> {
    const client = server.connect();
    await client.join(on, config, { access_token: token });
    client.take();
    return client;
  }

  const stop = (message: string, on = topic) => [
    {
      joinRef: "1",
      ref: null,
      topic: on,
      event: "system",
      payload: {
        extension: "system",
        status: "error",
        message,
        channel: on.slice("realtime:".length),
      },
    },
    { joinRef: "1", ref: "1", topic: on, event: "phx_close", payload: {} },
  ];

  it("[RT-60] asks the policies with the topic, claims and headers of the client", async () => {
    const ana = server.connect({ headers: { "x-own": "yes" } });
    await ana.join("realtime:a:b", isPrivate, {
      access_token: server.token({ sub: "ana", more: 1 }),
    });
    expect(server.policies.asked).toMatchObject([
      {
        what: "read",
        context: { topic: "a:b", claims: { sub: "ana", more: 1 }, headers: { "x-own": "yes" } },
      },
    ]);
  });

  it("[RT-60] does not ask the policies for a public channel", async () => {
    server.policies.fault = "unavailable";
    const ana = await joined({});
    ana.send("1", "2", topic, "broadcast", { event: "x", payload: {} });
    expect(server.policies.asked).toEqual([]);
  });

  it("[RT-61] admits clients that may read broadcasts or presence, and no others", async () => {
    server.policies.read = { broadcast: false, presence: true };
    expect(
      (await server.connect().join(topic, { private: true, presence: { enabled: true } }))?.payload,
    ).toMatchObject({ status: "ok" });
    const reason = "Unauthorized: You do not have permissions to read from this Channel topic: a";
    expect(await refused(server.connect())).toEqual({ status: "error", response: { reason } });
  });

  const [ana, mallory] = [
    "0b5c4a52-6f3e-4f5e-8a3b-7d0f5f1c0a01",
    "0b5c4a52-6f3e-4f5e-8a3b-7d0f5f1c0b02",
  ];
  const ours = ["account", "workspace", "document"].map((kind) => `realtime:${kind}:${ana}:0`);
  const [account = ""] = ours;
  const keyed = (key: string) => ({ private: true, presence: { enabled: true, key } });

  it.each([ana, `${ana}:tab`, ana.toUpperCase(), `${ana.toUpperCase()}:tab`])(
    "[RT-120] refuses a presence key that names another's account, on the product's topics: %s",
    async (key) => {
      const reason =
        "PresenceKeyNotAllowed: A presence key that names an account is for that account alone";
      for (const on of ours)
        for (const claims of [{ sub: mallory }, { role: "anon" }, {}]) {
          const more = { access_token: server.token(claims) };
          expect(await refused(server.connect(), keyed(key), more, on)).toEqual({
            status: "error",
            response: { reason },
          });
        }
    },
  );

  it("[RT-120] accepts an own key, one that names no account, any on a public channel, and any of the service", async () => {
    const join = async (config: JsonObject, claims: JsonObject) =>
      (await server.connect().join(account, config, { access_token: server.token(claims) }))
        ?.payload;
    for (const key of [ana, `${ana}:tab`, "ana", `tab:${mallory}`, `${mallory}x`])
      expect(await join(keyed(key), { sub: ana })).toMatchObject({ status: "ok" });
    expect(await join({ presence: { key: mallory } }, { sub: ana })).toMatchObject({
      status: "ok",
    });
    expect(await join(keyed(ana), { role: "service_role" })).toMatchObject({ status: "ok" });
  });

  it.each(["realtime:a", "realtime:topic:account:x", "realtime:accounts:x", "realtime:Document:x"])(
    "[RT-122] accepts and keeps any presence key on other topics: %s",
    async (on) => {
      const claims = { sub: mallory };
      const client = await joined(keyed(ana), server.token(claims), on);
      expect(client.connection.channelCount).toBe(1);
      client.send("1", "2", on, "access_token", {
        access_token: server.token({ ...claims, more: 1 }),
      });
      client.send("1", "3", on, "presence", { type: "presence", event: "track", payload: {} });
      await settled();
      expect(client.take().map(({ event }) => event)).toEqual(["presence_diff", "phx_reply"]);
      expect(
        Object.keys(server.hub.topics.find(on.slice(9), true)?.presence.state() ?? {}),
      ).toEqual([ana]);
    },
  );

  const ended = "The session of the token has ended";

  it("[RT-121] refuses a token whose session has ended, or ends meanwhile, on the product's topics", async () => {
    const reason = `InvalidJWTToken: ${ended}`;
    const more = { access_token: server.token({ session_id: "s" }) };
    const client = server.connect();
    const joining = refused(client, isPrivate, more, account);
    server.ended.add("s");
    expect(await joining).toEqual({ status: "error", response: { reason } });
    for (const on of ours)
      for (const config of [isPrivate, {}])
        expect(await refused(server.connect(), config, more, on)).toEqual({
          status: "error",
          response: { reason },
        });
    expect(server.hub.topics.size).toBe(0);
  });

  it("[RT-121] ends a channel that gets the token of an ended session", async () => {
    const client = await joined(isPrivate, server.token({ session_id: "s" }), account);
    server.ended.add("t");
    client.send("1", "2", account, "access_token", {
      access_token: server.token({ session_id: "t" }),
    });
    await settled();
    expect(client.take()).toEqual(stop(ended, account));
  });

  it("[RT-121] closes each connection with a channel of the session that ends, and no other", async () => {
    const ana = await joined(isPrivate, server.token({ session_id: "s" }), account);
    const ben = await joined(isPrivate, server.token({ session_id: "t" }), account);
    const service = await joined(isPrivate, server.token({ role: "service_role" }), account);
    for (const { connection } of [ana, ben, service]) connection.endSession("s");
    expect([ana.take(), ana.closed]).toEqual([stop(ended, account), 1001]);
    expect([ben.take(), ben.closed, service.take(), service.closed]).toEqual([[], null, [], null]);
  });

  it.each([{}, isPrivate])(
    "[RT-122] serves a token on other topics until it expires, though its session ends: %j",
    async (config) => {
      const token = server.token({ session_id: "s", exp: server.clock.seconds + 90 });
      const before = await joined(config, token);
      server.ended.add("s");
      before.connection.endSession("s");
      const after = await joined(config, token);
      expect([before.closed, before.take()]).toEqual([null, []]);
      const again = server.token({ session_id: "s", exp: server.clock.seconds + 80 });
      after.send("1", "2", topic, "access_token", { access_token: again });
      after.send("1", "3", topic, "broadcast", { event: "x", payload: {} });
      await settled();
      expect(after.take()).toEqual([]);
      expect(before.take().map(({ event }) => event)).toEqual(["broadcast"]);
      server.clock.advance(80_000);
      expect(after.take()).toEqual(stop("Token has expired 0 seconds ago"));
    },
  );

  it("[RT-120] ends a channel whose new token is another account's than its presence key", async () => {
    const client = await joined(keyed(`${ana}:tab`), server.token({ sub: ana }), account);
    client.send("1", "2", account, "access_token", {
      access_token: server.token({ sub: ana, n: 1 }),
    });
    await settled();
    expect(client.take()).toEqual([]);
    client.send("1", "3", account, "access_token", {
      access_token: server.token({ sub: mallory }),
    });
    await settled();
    expect(client.take()).toEqual(
      stop("A presence key that names an account is for that account alone", account),
    );
  });

  it.each([
    ["policy", "Unauthorized: You do not have permissions to read from this Channel topic: a"],
    ["partition", "MissingPartition: Realtime was unable to find the expected messages partition"],
    ["canceled", "QueryCanceled: Query was cancelled, please try again"],
    [
      "unavailable",
      "UnableToConnectToProject: Realtime was unable to connect to the project database",
    ],
  ] as const)("[RT-61] refuses when the policies cannot be asked: %s", async (fault, reason) => {
    server.policies.fault = fault;
    expect(await refused(server.connect())).toEqual({ status: "error", response: { reason } });
  });

  it.each([
    [
      "expired",
      () => server.token({ exp: server.clock.seconds - 5 }),
      "InvalidJWTToken: Token has expired 5 seconds ago",
    ],
    ["malformed", () => "potato", "MalformedJWT: The token provided is not a valid JWT"],
    [
      "forged",
      () => sign({ role: "authenticated", exp: 9e9 }, { alg: "HS256" }, "y".repeat(40)),
      "JwtSignatureError: Failed to validate JWT signature",
    ],
  ])(
    "[RT-11] refuses a join whose token is %s, also of a public channel",
    async (_, token, reason) => {
      expect(await refused(server.connect(), {}, { access_token: token() })).toEqual({
        status: "error",
        response: { reason },
      });
    },
  );

  it("[RT-12] uses the connection's identity for a channel with no token or an opaque key", async () => {
    for (const more of [{}, { access_token: keys.secretKey }, { access_token: null }]) {
      await server.connect({ token: keys.publishableKey }).join(topic, isPrivate, more);
    }
    expect(server.policies.asked.map(({ context }) => context.claims.role)).toEqual([
      "anon",
      "anon",
      "anon",
    ]);
  });

  describe("a new token", () => {
    it("[RT-62] gets no reply, and is checked for reading at once, for writing later", async () => {
      const ana = await joined({ private: true, broadcast: { ack: true } });
      ana.send("1", "2", topic, "broadcast", { event: "x", payload: {} });
      await settled();
      ana.take();
      ana.send("1", "3", topic, "access_token", { access_token: server.token({ sub: "new" }) });
      await settled();
      expect(ana.take()).toEqual([]);
      ana.send("1", "4", topic, "broadcast", { event: "x", payload: {} });
      await settled();
      expect(server.policies.asked.map(({ what, context }) => [what, context.claims.sub])).toEqual([
        ["read", "ana"],
        ["write", "ana"],
        ["read", "new"],
        ["write", "new"],
      ]);
    });

    it("[RT-62] that is the same, none or an opaque key changes nothing", async () => {
      const token = server.token();
      const ana = await joined(isPrivate, token);
      for (const same of [token, null, keys.publishableKey, keys.secretKey, 5]) {
        ana.send("1", "2", topic, "access_token", { access_token: same });
      }
      await settled();
      expect(server.policies.asked).toHaveLength(1);
      expect(ana.take()).toEqual([]);
    });

    it("[RT-63] that may no longer read ends its channel, and no other", async () => {
      const ana = await joined();
      await ana.join("realtime:b", {}, {}, "2");
      ana.take();
      server.policies.read = { broadcast: false, presence: null };
      ana.send("1", "3", topic, "access_token", { access_token: server.token({ sub: "new" }) });
      await settled();
      expect(ana.take()).toEqual(
        stop("You do not have permissions to read from this Channel topic: a"),
      );
      expect(ana.connection.channelCount).toBe(1);
      expect(server.hub.topics.find("a", true)).toBeUndefined();
    });

    it("[RT-63] that lost one of two rights to read ends the channel", async () => {
      const ana = await joined({ private: true, presence: { enabled: true } });
      server.policies.read = { broadcast: true, presence: false };
      ana.send("1", "2", topic, "access_token", { access_token: server.token({ sub: "new" }) });
      await settled();
      expect(ana.take()).toEqual(
        stop("You no longer have permission to read from this Channel topic: a"),
      );
    });

    it("[RT-63] that gains a right to read receives from then on", async () => {
      server.policies.read = { broadcast: false, presence: true };
      const ben = await joined({ private: true, presence: { enabled: true } });
      server.policies.read = { broadcast: true, presence: true };
      const ana = await joined();
      ben.send("1", "2", topic, "access_token", { access_token: server.token({ sub: "new" }) });
      await settled();
      ana.send("1", "2", topic, "broadcast", { event: "x", payload: {} });
      await settled();
      expect(ben.events()).toEqual(["broadcast"]);
    });

    it.each([
      ["empty", () => "", "The token provided is not a valid JWT"],
      [
        "expired",
        () => server.token({ exp: server.clock.seconds - 1 }),
        "Token has expired 1 seconds ago",
      ],
      [
        "without a role",
        () => sign({ exp: server.clock.seconds + 60 }),
        "Fields `role` and `exp` are required in JWT",
      ],
    ])("[RT-63] that is %s ends the channel, also a public one", async (_, token, message) => {
      const ana = await joined({});
      ana.send("1", "2", topic, "access_token", { access_token: token() });
      await settled();
      expect(ana.take()).toEqual(stop(message));
    });

    it("[RT-63] ends the channel when the database cannot be asked", async () => {
      const ana = await joined();
      server.policies.fault = "unavailable";
      ana.send("1", "2", topic, "access_token", { access_token: server.token({ sub: "new" }) });
      await settled();
      expect(ana.take()).toEqual(stop("Realtime was unable to connect to the project database"));
    });
  });

  describe("expiry", () => {
    it("[RT-64] ends the channel in the second in which the token expires, and only that channel", async () => {
      const ana = await joined({}, server.token({ exp: server.clock.seconds + 90 }));
      await ana.join("realtime:b", {}, {}, "2");
      ana.take();
      server.clock.advance(89_999);
      expect(ana.take()).toEqual([]);
      server.clock.advance(1);
      expect(ana.take()).toEqual(stop("Token has expired 0 seconds ago"));
      expect(ana.connection.channelCount).toBe(1);
    });

    it("[RT-64] ends it a second later when the expiry is a fraction, which is rounded down", async () => {
      const ana = await joined({}, server.token({ exp: server.clock.seconds + 90.4 }));
      server.clock.advance(90_000);
      expect(ana.take()).toEqual([]);
      server.clock.advance(1000);
      expect(ana.events()).toEqual(["system", "phx_close"]);
    });

    it("[RT-64] is postponed by a new token", async () => {
      const ana = await joined({}, server.token({ exp: server.clock.seconds + 90 }));
      ana.send("1", "2", topic, "access_token", {
        access_token: server.token({ exp: server.clock.seconds + 900 }),
      });
      server.clock.advance(899_000);
      expect(ana.take()).toEqual([]);
      server.clock.advance(1000);
      expect(ana.events()).toEqual(["system", "phx_close"]);
    });

    it("[RT-64] leaves no timer behind a channel that was left", async () => {
      const ana = await joined({}, server.token({ exp: server.clock.seconds + 90 }));
      ana.send("1", "2", topic, "phx_leave", {});
      ana.take();
      server.clock.advance(600_000);
      expect(ana.take()).toEqual([]);
    });
  });

  describe("replay", () => {
    it("[RT-70] comes after the reply, oldest first, and is not repeated", async () => {
      server.history.push(
        { id: "m1", event: "x", text: '{"n":1}' },
        { id: "m2", event: "x", bytes: Buffer.from([7]) },
        { id: "m3", event: "x", text: '{"n":3}' },
      );
      const ana = server.connect();
      await ana.join(topic, { private: true, broadcast: { replay: { since: 0 } } });
      const meta = (id: string) => ({ replayed: true, id });
      expect(
        ana
          .take()
          .map(({ event, joinRef, payload }) => [event, joinRef, payload])
          .slice(1),
      ).toEqual([
        ["broadcast", "1", { type: "broadcast", event: "x", payload: { n: 1 }, meta: meta("m1") }],
        ["broadcast", "1", { type: "broadcast", event: "x", payload: { n: 3 }, meta: meta("m3") }],
      ]);
      expect(ana.binary).toHaveLength(1);
      const topicMembers = server.hub.topics.find("a", true);
      const live = (id: string) =>
        ({
          kind: "user",
          event: "x",
          encoding: "json",
          bytes: Buffer.from("{}"),
          meta: { id },
        }) as const;
      topicMembers?.publish(live("m1"));
      topicMembers?.publish(live("m4"));
      expect(ana.binary).toHaveLength(2);
    });

    it("[RT-70] skips bytes in a version without binary frames", async () => {
      server.history.push({ id: "m2", event: "x", bytes: Buffer.from([7]) });
      const ana = server.connect({ version: "1.0.0" });
      await ana.join(topic, { private: true, broadcast: { replay: { since: 0 } } });
      expect(ana.events()).toEqual(["phx_reply"]);
    });

    it.each([
      [
        { broadcast: { replay: { since: 0 } } },
        "UnableToReplayMessages: Replay is not allowed for public channels",
      ],
      [
        { private: true, broadcast: { replay: {} } },
        "UnableToReplayMessages: Replay params are not valid",
      ],
      [
        { private: true, broadcast: { replay: { since: "yesterday" } } },
        "UnableToReplayMessages: Replay params are not valid",
      ],
      [
        { private: true, broadcast: { replay: { since: 1e300 } } },
        "UnableToReplayMessages: Replay params are not valid",
      ],
      [
        { private: true, broadcast: { replay: { since: 0, limit: "all" } } },
        "UnableToReplayMessages: Replay params are not valid",
      ],
    ])("[RT-71] is refused when it is invalid: %j", async (config, reason) => {
      expect(await refused(server.connect(), config)).toEqual({
        status: "error",
        response: { reason },
      });
    });

    it("[RT-71] requires the right to read broadcasts", async () => {
      server.policies.read = { broadcast: false, presence: true };
      const config = {
        private: true,
        presence: { enabled: true },
        broadcast: { replay: { since: 0 } },
      };
      const reason = "Unauthorized: You do not have permissions to read from this Channel topic: a";
      expect(await refused(server.connect(), config)).toEqual({
        status: "error",
        response: { reason },
      });
    });
  });
});
