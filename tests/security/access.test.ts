import { randomUUID } from "node:crypto";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { databaseUrl } from "@/tests/support/product/backend";
import { service } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { auth, edgeFunctions, notOffered } from "./expected/auth";
import { functions } from "./expected/functions";
import { routes } from "./expected/routes";
import { bucket, buckets, storage } from "./expected/storage";
import { policies, readers, schemas, tables } from "./expected/tables";
import { topics } from "./expected/topics";
import { askBackend, askPage } from "./support/asking";
import type { Asked } from "./support/asking";
import { audit, named, send } from "./support/audit";
import type { Case, Cases } from "./support/cases";
import { seat } from "./support/callers";
import type { Caller, Role } from "./support/callers";
import { placesIn, readable } from "./support/canaries";
import { isForged, isIn, unmatched } from "./support/expectation";
import { difference, likeness } from "./support/likeness";
import * as product from "./support/product";
import { ghostOf, keepCaches, newScene } from "./support/scene";
import type { Scene, Target } from "./support/scene";
import { openSocket } from "./support/socket";
import type { Socket } from "./support/socket";

let stack: Stack;
let sql: Sql;
let open: Scene;
let restricted: Scene;
let callers: Caller[];
let ownBuckets: string[];

beforeAll(async () => {
  // All callers use another machine, because local callers may see metrics and caught mail.
  stack = await startStack({ env: { TRUST_PROXY: "1" } });
  sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  [open, restricted] = await Promise.all([newScene(stack), newScene(stack)]);
  callers = await seat(stack, open, restricted);
  await vi.waitUntil(() => product.areIndexed(sql, [open.document, restricted.document]), {
    timeout: 60_000,
    interval: 200,
  });
  ownBuckets = await product.bucketsOf(sql);
  const { storage } = service(stack);
  await storage.createBucket(bucket, { public: false });
  for (const { file, canaries } of [open, restricted]) {
    const content = new TextEncoder().encode(canaries["file content"]);
    expect((await storage.from(bucket).upload(file, content)).error).toBeNull();
  }
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await stack.dispose();
});

const as = (role: Role | "service"): Caller => {
  const found = callers.find((caller) => caller.role === role);
  if (!found) throw new Error(`No person has the role ${role}`);
  return found;
};
const backend = (caller: Caller, path: string, asked?: Asked) =>
  askBackend(stack.url, caller, path, asked);
const pages = (caller: Caller, path: string, asked?: Asked) =>
  askPage(stack.url, caller, path, asked);

const topicOf = async (kind: string, { workspace, document, person }: Scene) => {
  const stream = { account: person, workspace, document }[kind] ?? "";
  const [row] = await sql<{ topic: string }[]>`select private.topic_of(${stream}) as topic`;
  return row?.topic ?? "";
};

const faultsOf = (cases: Cases, ask: typeof backend, withCaches = true) =>
  audit(cases, callers, [open, restricted], ask, () => product.digest(sql, withCaches));

describe("every table", () => {
  it("[LOG-71] has an expectation, as has every schema and policy", async () => {
    const all = await product.relations(sql);
    const ofApi = all.flatMap((name) => /^public\.(.*)/.exec(name)?.[1] ?? []);
    const others = all.map((name) => name.split(".")[0] ?? "").filter((name) => name !== "public");
    expect(unmatched(ofApi, tables)).toEqual([]);
    expect(unmatched([...new Set(others)], schemas)).toEqual([]);
    expect(await product.policiesOf(sql)).toEqual(policies);
  });

  it("[LOG-72] shows each role its rows, and no byte of any others", async () => {
    const reads: Cases = Object.fromEntries(
      Object.entries(tables).map(([name, shows]) => {
        const path = () => `/rest/v1/${name}?select=*`;
        const answers = readers[name] ?? "members";
        return [name, [{ path, shows, answers }]];
      }),
    );
    expect(await faultsOf(reads, backend)).toEqual([]);
  });

  it("[LOG-72] accepts no insert, update or delete from any role", async () => {
    const writes: Record<string, Cases[string]> = {};
    for (const name of Object.keys(tables)) {
      const [row] = await sql.unsafe(`select to_jsonb(t) as row from public.${name} t limit 1`);
      const sample: Record<string, unknown> = { ...row?.["row"] };
      const key = Object.keys(sample).find((column) => /(^|_)id$/.test(column)) ?? "id";
      const path = (query: string) => () => `/rest/v1/${name}${query}`;
      const all = `?${key}=not.is.null`;
      const changed = { ...sample, [key]: randomUUID() };
      const call = (method: string, query: string, body?: object, prefer = "return=minimal") => ({
        how: `${method} ${prefer}`,
        path: path(query),
        ask: () => ({ method, headers: { prefer }, ...(body && { body }) }),
        shows: {},
        answers: "nobody" as const,
        by: "some" as const,
      });
      writes[name] = [
        call("POST", "", changed),
        call("PATCH", all, changeOf(sample), "return=representation"),
        call("DELETE", all, undefined, "return=representation"),
      ];
    }
    expect(await faultsOf(writes, backend)).toEqual([]);
  });

  /** Returns another value for a column that is neither a key nor a time. */
  function changeOf(sample: Record<string, unknown>): object {
    const fields = Object.entries(sample);
    const text = fields.find(([, value]) => typeof value === "string" && !/\d{4}|^\\x/.test(value));
    const number = fields.find(([, value]) => typeof value === "number");
    return text ? { [text[0]]: "changed" } : { [number?.[0] ?? "version"]: 1000 };
  }

  it("[LOG-72] outside the API is closed to its roles in SQL, too", async () => {
    const names = (await product.relations(sql)).filter((name) => !name.startsWith("public."));
    const faults: string[] = [];
    for (const caller of callers.filter(({ userId, role }) => userId !== null || role === "anon"))
      await sql.begin(async (t) => {
        const role = caller.userId === null ? "anon" : "authenticated";
        const claims = JSON.stringify({ role, sub: caller.userId });
        await t`select set_config('request.jwt.claims', ${claims}, true)`;
        await t.unsafe(`set local role ${role}`);
        for (const name of names) {
          const found = await t
            .savepoint((s) => s.unsafe(`select from ${name} limit 1`))
            .then(
              ({ length }) => (length === 0 ? "empty" : "rows"),
              () => "denied",
            );
          if (found !== schemas[name.split(".")[0] ?? ""])
            faults.push(`${name}: ${caller.role} finds it ${found}`);
        }
      });
    expect(faults).toEqual([]);
    for (const schema of Object.keys(schemas)) {
      const { status } = await backend(as("owner"), "/rest/v1/streams", {
        headers: { "accept-profile": schema },
      });
      expect([schema, status]).toEqual([schema, 406]);
    }
  });
});

describe("every function", () => {
  it("[LOG-71] has an expectation", async () => {
    expect(unmatched(await product.apiFunctions(sql), functions)).toEqual([]);
    expect(unmatched(await product.functionFolders(), edgeFunctions)).toEqual([]);
  });

  it("[LOG-73] answers and changes something for permitted callers alone", async () => {
    expect(await faultsOf(functions, backend)).toEqual([]);
    expect(await faultsOf(edgeFunctions, backend)).toEqual([]);
  });
});

describe("every bucket and storage operation", () => {
  it("[LOG-71] has an expectation", () => {
    expect(unmatched(ownBuckets, buckets)).toEqual([]);
  });

  it("[API-30] is closed to a caller without a policy", async () => {
    expect(await faultsOf(storage, backend)).toEqual([]);
  });
});

describe("every topic", () => {
  it("[LOG-71] has an expectation", async () => {
    expect(unmatched(await product.streamKinds(sql), topics)).toEqual([]);
  });

  it("[LOG-74] lets permitted callers alone join and send", async () => {
    const faults: string[] = [];
    const socketOf = async (caller: Caller) => {
      const socket = await openSocket(stack.url, caller);
      if (!socket && !isForged(caller)) throw new Error(`${caller.role} has no socket.`);
      return socket;
    };
    for (const scene of [open, restricted]) {
      const listener = await openSocket(stack.url, {
        ...as("owner"),
        socket: { ...as("owner").socket, token: await scene.owner.accessToken() },
      });
      if (!listener) throw new Error("The owner has no socket.");
      const speakers: string[] = [];
      for (const [kind, { listens, broadcasts }] of Object.entries(topics)) {
        const topic = await topicOf(kind, scene);
        expect(await listener.join(topic)).toBe(true);
        await Promise.all(
          callers
            .filter((caller) => caller.scene === scene && caller.role !== "service")
            .map(async (caller) => {
              const socket = await socketOf(caller);
              const hears = (await socket?.join(topic)) ?? false;
              if (hears !== isIn(listens, caller))
                faults.push(`${topic}: ${caller.role} ${hears ? "listens" : "does not listen"}`);
              const payload = { by: `${kind} ${caller.role}` };
              const message = { type: "broadcast", event: "said", payload };
              if (socket && hears)
                // A forbidden message gets no answer, but the heartbeat after the message gets one.
                await Promise.race([
                  socket.send(topic, "broadcast", message),
                  socket.send("phoenix", "heartbeat", {}),
                ]);
              const { status } = await backend(caller, "/realtime/v1/api/broadcast", {
                method: "POST",
                body: {
                  messages: [
                    {
                      topic,
                      event: "said",
                      private: true,
                      payload: { by: `${kind} ${caller.role} by post` },
                    },
                  ],
                },
              });
              if ((status === 202) === isForged(caller))
                faults.push(`${topic}: ${caller.role} is answered ${status}`);
              if (isIn(broadcasts, caller)) speakers.push(payload.by, `${payload.by} by post`);
              socket?.close();
            }),
        );
      }
      await expect.poll(() => spoken(listener).length).toBeGreaterThanOrEqual(speakers.length);
      expect(spoken(listener)).toEqual(speakers.toSorted());
      listener.close();
    }
    expect(faults).toEqual([]);
  });

  const spoken = ({ frames }: Socket) =>
    frames.flatMap((frame) => /"by":"([^"]+)"/.exec(frame.toString())?.[1] ?? []).toSorted();
});

describe("a missing id", () => {
  const all = (): [string, Case, typeof backend][] =>
    [
      ...named(functions).map(([name, one]) => [name, one, backend] as const),
      ...named(storage).map(([name, one]) => [name, one, backend] as const),
      ...named(routes).map(([name, one]) => [name, one, pages] as const),
      ...Object.keys(tables).map((name) => {
        const path = ({ workspace, document, person }: Target) =>
          `/rest/v1/${name}?or=(${columnsOf(name)
            .map((column) => `${column}.in.(${workspace},${document},${person})`)
            .join()})`;
        return [name, { path, shows: {}, answers: "members" as const }, backend] as const;
      }),
    ].map(([name, one, ask]) => [name, one, ask]);
  const columns = new Map<string, string[]>();
  const columnsOf = (name: string) => columns.get(name) ?? [];

  beforeAll(async () => {
    const rows = await sql<{ name: string; columns: string[] }[]>`
      select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' and data_type = 'uuid' group by 1`;
    for (const { name, columns: list } of rows) columns.set(name, list);
  });

  it("[API-31] gets the same bytes as a forbidden one", async () => {
    const faults: string[] = [];
    // Only a person who was sent an invitation knows the invitation's token.
    const token = "x".repeat(32);
    const target = { ...open, token };
    const ghost = { ...ghostOf(open), token };
    const body = ({ ask }: Case, asked: Target) => JSON.stringify(ask?.(asked)?.body ?? null);
    for (const [name, one, ask] of all())
      for (const caller of ask === pages ? [as("stranger")] : [as("stranger"), as("anon")]) {
        if (name === "preview_invitation with its token") continue;
        if (one.path(target) + body(one, target) === one.path(ghost) + body(one, ghost)) continue;
        const seen = [new Set<string>(), new Set<string>()] as const;
        const isAlike = () => [...seen[0]].some((answer) => seen[1].has(answer));
        // The pieces of a page may arrive in more than one order.
        for (let round = 0; round < 8 && !isAlike(); round += 1) {
          seen[0].add(likeness(await send(one, caller, ask, target), target));
          seen[1].add(likeness(await send(one, caller, ask, ghost), ghost));
        }
        if (!isAlike()) faults.push(`${name} by ${caller.role}: ${difference(seen)}`);
      }
    expect(faults).toEqual([]);
  });

  it("[API-32] takes as long as a forbidden one", async () => {
    const ghost = ghostOf(open);
    const caller = as("stranger");
    const faults: string[] = [];
    const timed = all().filter(([name]) =>
      ["append_events to a doc", "read_events of a doc", "stream_topic of a doc"]
        .concat("read_feed", "/d/[document]/state")
        .some((asked) => name === "events" || name.startsWith(asked)),
    );
    expect(timed).toHaveLength(6);
    for (const [name, one, ask] of timed) {
      const took: [number[], number[]] = [[], []];
      const once = async (target: typeof ghost, times: number[]) => {
        const begun = performance.now();
        await send(one, caller, ask, target);
        times.push(performance.now() - begun);
      };
      // Measured in turn, so that other load on the machine affects both results.
      const ratio = () => median(took[0]) / median(took[1]);
      const isFar = () => Math.abs(Math.log(ratio())) > Math.log(2);
      for (let round = 0; round < 11 || (round < 60 && isFar()); round += 1) {
        await once(open, took[0]);
        await once(ghost, took[1]);
      }
      if (isFar()) faults.push(`${name}: ${ratio().toFixed(2)} times as long`);
    }
    expect(faults).toEqual([]);
  });

  const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? NaN;
});

describe("every route", () => {
  it("[LOG-71] has an expectation", async () => {
    expect(unmatched(await product.routesOf(), routes)).toEqual([]);
  });

  it("[API-33] shows each role its data, and changes something for permitted callers alone", async () => {
    // An authorised caller has rebuilt the caches.
    for (const scene of [open, restricted]) await keepCaches(stack, scene);
    expect(await faultsOf(routes, pages, false)).toEqual([]);
  });
});

describe("a removed member", () => {
  it("[LOG-75] receives nothing on any channel", async () => {
    const leaver = as("commenter");
    const kinds = ["workspace", "document"];
    const sockets = await Promise.all(
      [leaver, as("owner")].map((caller) => openSocket(stack.url, caller)),
    );
    const [theirs, owners] = sockets;
    if (!theirs || !owners) throw new Error("There is no socket.");
    const old = await Promise.all(kinds.map((kind) => topicOf(kind, open)));
    const present = { type: "presence", event: "track", payload: { at: "here" } };
    for (const topic of old) {
      expect([await theirs.join(topic), await owners.join(topic)]).toEqual([true, true]);
      expect(await owners.send(topic, "presence", present)).toBe(true);
    }
    const store = supabaseStore(open.owner.client);
    const append = async (stream: string, type: string, body: object, subject?: object) =>
      granted(
        await store.append(stream, null, [
          { id: randomUUID(), type, body: { ...body }, ...subject },
        ]),
      );
    await append(
      open.workspace,
      "member.removed",
      {},
      {
        subject: { kind: "member", id: leaver.userId },
      },
    );
    const moved = () => theirs.frames.filter((frame) => frame.includes("moved")).length;
    await expect.poll(moved).toBe(2);
    const heard = theirs.frames.length;
    const now = await Promise.all(kinds.map((kind) => topicOf(kind, open)));
    expect(now).not.toEqual(old);
    // A page leaves the old topics too on this notice.
    for (const topic of old) await owners.send(topic, "phx_leave", {});
    for (const topic of now) {
      expect(await owners.join(topic)).toBe(true);
      expect(await owners.send(topic, "presence", present)).toBe(true);
    }
    await append(open.document, "document.renamed", { title: open.canaries.title });
    await append(open.workspace, "workspace.renamed", { name: open.canaries["workspace name"] });
    const message = { type: "broadcast", event: "said", payload: { by: open.canaries.text } };
    await owners.send(now[1] ?? "", "broadcast", message);
    // The owner has received both messages, so everything was sent.
    await expect
      .poll(() => now.every((topic) => owners.frames.some((f) => isLog(f, topic))))
      .toBe(true);
    for (const topic of [...old, ...now]) expect(await theirs.join(topic)).toBe(false);
    // On old topics, presence may report that people leave, but never that people join.
    const isOwn = (frame: string) =>
      /"phx_(reply|close)"|"presence_diff",\{"joins":\{\}/.test(frame);
    const later = theirs.frames.slice(heard).map(String);
    expect(later.filter((frame) => !isOwn(frame))).toEqual([]);
    expect(placesIn(readable(theirs.frames), open.canaries)).toEqual([]);
    for (const socket of sockets) socket?.close();
  });

  const isLog = (frame: Buffer, topic: string) =>
    frame.includes(`realtime:${topic}`) && frame.includes('"version":');
});

describe("every auth address", () => {
  it("[LOG-71] has an expectation", () => {
    expect(unmatched([...product.authAddresses(), ...notOffered], auth)).toEqual([]);
  });

  it("[API-34] answers the person of the session alone, about themselves alone", async () => {
    expect(await faultsOf(auth, backend, false)).toEqual([]);
  });
});
