import { isObject } from "./frames/frame";
import type { Json, JsonObject } from "./frames/frame";

export type JoinPayload = {
  private: boolean;
  ack: boolean;
  self: boolean;
  replicationReady: boolean;
  /** Undefined if not requested. `readReplay` validates the value. */
  replay: Json | undefined;
  presenceEnabled: boolean;
  /** Null lets the server choose a key. */
  presenceKey: string | null;
  postgresChanges: JsonObject[];
  waitForPostgresChanges: boolean;
  token: string | null;
  /** Values that could not be parsed and were replaced by their defaults, for the log. */
  problems: string[];
};

/**
 * Parses the payload of a join as leniently as Supabase. Booleans may be text, and null blocks mean
 * their defaults. Unparseable values are reported in `problems`, and the join succeeds.
 */
export function readJoinPayload(payload: Json): JoinPayload {
  const problems: string[] = [];
  const block = (parent: JsonObject, name: string): JsonObject => {
    const value = parent[name];
    if (value === undefined || value === null) return {};
    if (isObject(value)) return value;
    problems.push(`${name}: unable to parse, expected a map`);
    return {};
  };
  const flag = (parent: JsonObject, name: string): boolean => {
    const value = parent[name];
    if (value === undefined || value === null) return false;
    if (typeof value === "boolean") return value;
    const word = typeof value === "string" ? value.toLowerCase() : "";
    if (word !== "true" && word !== "false")
      problems.push(`${name}: unable to parse, expected boolean`);
    return word === "true";
  };
  const text = (parent: JsonObject, name: string): string | null => {
    const value = parent[name];
    if (typeof value === "string") return value;
    if (value !== undefined && value !== null)
      problems.push(`${name}: unable to parse, expected string`);
    return null;
  };

  const root = isObject(payload) ? payload : {};
  if (!isObject(payload)) problems.push("payload: unable to parse, expected a map");
  const config = block(root, "config");
  const broadcast = block(config, "broadcast");
  const presence = block(config, "presence");
  const key = presence.key;
  const changes = config.postgres_changes;
  if (changes !== undefined && changes !== null && !Array.isArray(changes)) {
    problems.push("postgres_changes: unable to parse, expected an array of maps");
  }
  const replay = broadcast.replay ?? undefined;
  if (replay !== undefined && !isObject(replay))
    problems.push("replay: unable to parse, expected a map");

  return {
    private: flag(config, "private"),
    ack: flag(broadcast, "ack"),
    self: flag(broadcast, "self"),
    replicationReady: flag(broadcast, "replication_ready"),
    replay,
    presenceEnabled: flag(presence, "enabled"),
    presenceKey:
      key === undefined || key === null || key === ""
        ? null
        : typeof key === "string"
          ? key
          : JSON.stringify(key),
    postgresChanges: Array.isArray(changes) ? changes.filter(isObject) : [],
    waitForPostgresChanges: flag(block(config, "postgres_changes_options"), "wait"),
    token: text(root, "user_token") ?? text(root, "access_token"),
    problems,
  };
}
