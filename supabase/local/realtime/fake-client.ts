import { createHmac } from "node:crypto";
import { AuthorizationFault } from "./authorizer";
import type { AccessContext, FaultName, ReadRights, WriteRights } from "./authorizer";
import type { Clock } from "./clock";
import { Connection } from "./connection";
import type { Json, JsonObject, Serializer } from "./frames/frame";
import type { Hub } from "./hub";
import type { Plan } from "@/supabase/realtime-plan";
import { limitsOf, Usage } from "./limits";
import type { Replayed } from "./replay";
import { TopicRegistry } from "./topic-members";
import { Shares } from "./shares";
import { serializerV1 } from "./frames/serializer-v1";
import { serializerV2 } from "./frames/serializer-v2";
import { tokenVerifier } from "./token";

export const secret = "a-secret-of-at-least-thirty-two-bytes-for-tests";
export const keys = { publishableKey: "sb_publishable_test", secretKey: "sb_secret_test" };

/** Signs claims with HS256, or with the algorithm in the header. */
export function sign(
  claims: JsonObject,
  header: JsonObject = { alg: "HS256" },
  withSecret = secret,
): string {
  const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac("sha256", withSecret).update(signed).digest("base64url")}`;
}

/** A clock that moves only when the test advances it. */
export class ManualClock implements Clock {
  private time = Date.UTC(2026, 0, 1);
  private timers: { at: number; action: () => void }[] = [];

  now(): number {
    return this.time;
  }

  get seconds(): number {
    return this.time / 1000;
  }

  after(ms: number, action: () => void): () => void {
    const timer = { at: this.time + ms, action };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Advances the clock and runs due timers, each at its own time. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const [next] = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.time = Math.max(this.time, next.at);
      next.action();
    }
    this.time = end;
  }
}

/** Returns fixed rights instead of evaluating policies, and records the queries. */
export class FakePolicies {
  read: ReadRights = { broadcast: true, presence: true };
  write: WriteRights = { broadcast: true, presence: true };
  fault: FaultName | null = null;
  readonly asked: { what: "read" | "write"; context: AccessContext }[] = [];

  answer<T>(what: "read" | "write", context: AccessContext, rights: T): Promise<T> {
    this.asked.push({ what, context });
    return this.fault === null
      ? Promise.resolve(rights)
      : Promise.reject(new AuthorizationFault(this.fault, "policy failed"));
  }
}

export type FakeServer = {
  hub: Hub;
  clock: ManualClock;
  policies: FakePolicies;
  log: string[];
  history: Replayed[];
  /** The sessions that have ended. */
  ended: Set<string>;
  token(claims?: JsonObject): string;
  connect(options?: {
    version?: "1.0.0" | "2.0.0";
    token?: string;
    headers?: Record<string, string>;
    address?: string;
  }): FakeClient;
};

/** Creates a server without sockets or a database, on a manual clock. */
export function fakeServer(plan?: Plan): FakeServer {
  const clock = new ManualClock();
  const policies = new FakePolicies();
  const log: string[] = [];
  const history: Replayed[] = [];
  const ended = new Set<string>();
  let ids = 0;
  const hub: Hub = {
    topics: new TopicRegistry(),
    usage: new Usage(limitsOf(plan), clock),
    shares: new Shares(clock),
    authorizer: {
      read: (context, presence) =>
        policies.answer("read", context, {
          ...policies.read,
          presence: presence ? policies.read.presence : null,
        }),
      write: (context) => policies.answer("write", context, policies.write),
    },
    replay: (_topic, _since, limit) => Promise.resolve(history.slice(-limit)),
    verify: tokenVerifier(secret, keys),
    sessions: {
      holds: (session) => Promise.resolve(!ended.has(session)),
      hasEnded: (session) => ended.has(session),
    },
    clock,
    log: (line) => log.push(line),
    newId: () => `id-${(ids += 1)}`,
    joinBackoff: 100,
  };
  const token = (claims: JsonObject = {}) =>
    sign({ role: "authenticated", sub: "ana", exp: clock.seconds + 3600, ...claims });
  return {
    hub,
    clock,
    policies,
    log,
    history,
    ended,
    token,
    connect: ({ version = "2.0.0", token: own, headers = {}, address = "127.0.0.1" } = {}) =>
      new FakeClient(
        hub,
        version === "2.0.0" ? serializerV2 : serializerV1,
        own ?? token(),
        headers,
        address,
      ),
  };
}

/** Lets all pending callbacks run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

type Received = { joinRef: Json; ref: Json; topic: Json; event: Json; payload: Json };

/** A client that sends raw frames and records what it receives. */
export class FakeClient {
  readonly connection: Connection;
  readonly version: "1.0.0" | "2.0.0";
  readonly binary: Buffer[] = [];
  closed: number | null = null;
  paused = false;
  private received: Received[] = [];

  constructor(
    hub: Hub,
    serializer: Serializer,
    token: string,
    headers: Record<string, string>,
    address: string,
  ) {
    this.version = serializer.version;
    const transport = {
      send: ({ bytes, binary }: { bytes: Buffer; binary: boolean }) => {
        if (binary) this.binary.push(bytes);
        else this.received.push(this.parse(bytes.toString()));
      },
      close: (code: number) => {
        this.closed = code;
      },
      pause: () => {
        this.paused = true;
      },
      resume: () => {
        this.paused = false;
      },
    };
    this.connection = new Connection(hub, transport, { serializer, token, headers, address });
  }

  private parse(text: string): Received {
    if (this.version === "1.0.0") {
      const { topic, event, payload, ref, ...more } = JSON.parse(text);
      return { joinRef: more.join_ref ?? null, ref, topic, event, payload };
    }
    const [joinRef, ref, topic, event, payload] = JSON.parse(text);
    return { joinRef, ref, topic, event, payload };
  }

  /** Sends raw text. */
  text(text: string): void {
    this.connection.receive(Buffer.from(text), false);
  }

  /** Sends one message in the protocol version of this client. */
  send(
    joinRef: string | null,
    ref: string | null,
    topic: string,
    event: string,
    payload: Json,
  ): void {
    const message = { topic, event, payload, ref, join_ref: joinRef };
    this.text(
      JSON.stringify(this.version === "1.0.0" ? message : [joinRef, ref, topic, event, payload]),
    );
  }

  /** Joins a topic with a configuration, and returns the response. */
  async join(
    topic: string,
    config: JsonObject = {},
    more: JsonObject = {},
    joinRef = "1",
  ): Promise<Received | undefined> {
    this.send(joinRef, joinRef, topic, "phx_join", { config, ...more });
    await settled();
    return this.last("phx_reply");
  }

  /** Returns all messages received since the last call. */
  take(): Received[] {
    const received = this.received;
    this.received = [];
    return received;
  }

  /** Returns the names of the events received since the last `take`. */
  events(): Json[] {
    return this.received.map(({ event }) => event);
  }

  last(event: string): Received | undefined {
    return this.received.findLast((message) => message.event === event);
  }
}

/** Builds a kind-3 frame, which realtime-js sends for a broadcast. */
export function pushFrame(to: {
  joinRef?: string;
  ref?: string;
  topic: string;
  event: string;
  metadata?: string;
  encoding: 0 | 1;
  payload: Buffer | string;
}): Buffer {
  const fields = [to.joinRef ?? "", to.ref ?? "", to.topic, to.event, to.metadata ?? ""].map(
    (field) => Buffer.from(field),
  );
  const head = Buffer.from([3, ...fields.map(({ length }) => length), to.encoding]);
  return Buffer.concat([head, ...fields, Buffer.from(to.payload)]);
}
