import { describe, expect, it } from "vitest";
import { readJoinPayload } from "./join-payload";

const defaults = {
  private: false,
  ack: false,
  self: false,
  replicationReady: false,
  replay: undefined,
  presenceEnabled: false,
  presenceKey: null,
  postgresChanges: [],
  waitForPostgresChanges: false,
  token: null,
  problems: [],
};

describe("the payload of a join", () => {
  it("[RT-20] is read in full", () => {
    const change = { event: "INSERT", schema: "public", table: "users", filter: "id=eq.1" };
    const payload = {
      config: {
        private: true,
        broadcast: {
          ack: true,
          self: true,
          replay: { since: 1, limit: 10 },
          replication_ready: true,
        },
        presence: { enabled: true, key: "ana" },
        postgres_changes: [change],
        postgres_changes_options: { wait: true, timeout: 15_000 },
      },
      access_token: "token",
    };
    expect(readJoinPayload(payload)).toEqual({
      private: true,
      ack: true,
      self: true,
      replicationReady: true,
      replay: { since: 1, limit: 10 },
      presenceEnabled: true,
      presenceKey: "ana",
      postgresChanges: [change],
      waitForPostgresChanges: true,
      token: "token",
      problems: [],
    });
  });

  it.each([
    ["an empty object", {}],
    ["no configuration", { config: null }],
    [
      "null blocks",
      { config: { private: null, broadcast: null, presence: null, postgres_changes: null } },
    ],
    ["null changes", { config: { postgres_changes: [null] } }],
    ["an empty presence key", { config: { presence: { key: "" } } }],
  ])("[RT-20] has its defaults when it is %s", (_, payload) => {
    expect(readJoinPayload(payload)).toEqual(defaults);
  });

  it.each(["true", "True", "TRUE"])("[RT-20] reads the word %s as true", (word) => {
    const config = {
      private: word,
      broadcast: { ack: word, self: word, replication_ready: word },
      presence: { enabled: word },
    };
    expect(readJoinPayload({ config })).toMatchObject({
      private: true,
      ack: true,
      self: true,
      replicationReady: true,
      presenceEnabled: true,
      problems: [],
    });
  });

  it.each(["false", "False", "FALSE"])("[RT-20] reads the word %s as false", (word) => {
    const config = {
      private: word,
      broadcast: { ack: word, self: word },
      presence: { enabled: word },
    };
    expect(readJoinPayload({ config })).toEqual(defaults);
  });

  it.each([
    [123, "123"],
    [true, "true"],
    ["__proto__", "__proto__"],
  ])("[RT-20] may name any scalar as its presence key: %s", (key, presenceKey) => {
    expect(readJoinPayload({ config: { presence: { key } } })).toEqual({
      ...defaults,
      presenceKey,
    });
  });

  it("[RT-20] prefers the older name of the token", () => {
    expect(readJoinPayload({ user_token: "older", access_token: "newer" }).token).toBe("older");
  });

  it("[RT-21] reports unreadable values, and uses their defaults instead", () => {
    const payload = {
      config: {
        private: "maybe",
        broadcast: { ack: "test", replay: 123 },
        presence: ["test"],
        postgres_changes: { event: "test" },
      },
      access_token: true,
    };
    const { problems, ...read } = readJoinPayload(payload);
    expect(problems.sort()).toEqual([
      "access_token: unable to parse, expected string",
      "ack: unable to parse, expected boolean",
      "postgres_changes: unable to parse, expected an array of maps",
      "presence: unable to parse, expected a map",
      "private: unable to parse, expected boolean",
      "replay: unable to parse, expected a map",
    ]);
    expect(read).toMatchObject({
      private: false,
      ack: false,
      presenceEnabled: false,
      postgresChanges: [],
      token: null,
    });
    expect(readJoinPayload("nonsense").problems).toHaveLength(1);
    expect(readJoinPayload({ config: ["test"] }).problems).toEqual([
      "config: unable to parse, expected a map",
    ]);
  });
});
