import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineAggregate, lifecycle } from "./aggregate";
import type { RawProposal, Ruled } from "@/events/core/envelope";
import { compileLaw } from "./law";
import { openStream } from "./live-stream";
import type { Act } from "./live-stream";
import type { Dropped } from "./log-merge";
import type { Refusal } from "./refusal";
import { StoreFault } from "./store";
import type { Store } from "./store";
import { emptyFold, subjectOf } from "./stream-fold";
import { streamRules } from "./stream-rules";
import type { OptimisticEvent } from "./stream-rules";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";

// Two invented kinds whose events have real names and bodies, because `act` accepts no others.
const schemas = {
  "workspace.created": z.strictObject({ name: z.string() }),
  "workspace.renamed": z.strictObject({ name: z.string() }),
  "document.trashed": z.strictObject({}),
};
const notes = { "version.pinned": z.strictObject({}) };
const editor = (target: string) => ({ target, meta: { right: "editor" } }) as const;
const page = defineAggregate({
  kind: "page",
  streamKind: "document",
  schemas,
  hosts: ["open"],
  updates: [],
  initial: () => ({ name: "" }),
  machine: lifecycle(schemas).createMachine({
    id: "page",
    initial: "absent",
    states: {
      absent: { on: { "workspace.created": editor("open") } },
      open: { on: { "workspace.renamed": editor("open"), "document.trashed": editor("closed") } },
      closed: {},
    },
  }),
  reducers: {
    "workspace.created": (draft, body) => {
      draft.name = body.name;
    },
    "workspace.renamed": (draft, body) => {
      draft.name = body.name;
    },
    "document.trashed": () => {},
  },
});
const note = defineAggregate({
  kind: "note",
  streamKind: "document",
  schemas: notes,
  hosts: [],
  updates: [],
  initial: () => ({}),
  machine: lifecycle(notes).createMachine({
    id: "note",
    initial: "absent",
    states: { absent: { on: { "version.pinned": editor("made") } }, made: {} },
  }),
  reducers: { "version.pinned": () => {} },
});
const aggregates = [page, note];
const law = compileLaw(aggregates);
const subject = { kind: "page", id: "p" };

/** Creates a server with one stream, whose answers a test can lose or refuse. */
function server() {
  const rows: Ruled[] = [];
  const state = {
    fault: null as Error | null,
    refusal: null as Refusal | null,
    readFault: null as Error | null,
    readable: true,
    appends: [] as string[],
    reads: 0,
  };
  const record = (proposal: RawProposal, toPhase: string): Ruled => {
    const { id, type, body } = proposal;
    const version = rows.length + 1;
    const row = {
      id,
      type,
      body,
      version,
      toPhase,
      streamId: "p",
      streamKind: "document" as const,
      workspaceId: null,
      position: null,
      subject: proposal.subject ?? subject,
      fromPhase: "",
      schema: 1,
      actorId: "ana",
      clientIds: [],
      clientTime: "",
      recordedAt: "2026-01-01T00:00:00Z",
      payloadHash: "",
      hash: "",
      bodyText: null,
      salt: null,
      update: null,
    };
    rows.push(row);
    return row;
  };
  const others = (type: string, body: Ruled["body"], toPhase: string) =>
    record({ id: `other-${rows.length}`, type, body }, toPhase);
  const store: Store = {
    append: async (_stream, _expected, proposals) => {
      state.appends.push(...proposals.map(({ id }) => id));
      if (state.fault) throw state.fault;
      if (state.refusal) return { ok: false, refusal: state.refusal };
      const ruled = proposals.map(
        (proposal) =>
          rows.find(({ id }) => id === proposal.id) ??
          record(proposal, proposal.type === "document.trashed" ? "closed" : "open"),
      );
      return {
        ok: true,
        rulings: ruled.map(({ id, version, hash, recordedAt, toPhase }) => ({
          id,
          version,
          hash,
          recordedAt,
          toPhase,
        })),
      };
    },
    read: async (_stream, after) => {
      state.reads += 1;
      if (state.readFault) throw state.readFault;
      return state.readable ? rows.filter(({ version }) => version > after) : [];
    },
    feed: async () => [],
    topic: async () => null,
  };
  return { store, state, rows, others };
}

function client(
  store: Store,
  onPageEnd?: (listener: () => void) => () => void,
  device = new Map<string, OptimisticEvent>(),
  rebase?: Parameters<typeof openStream>[0]["rebase"],
) {
  const clock = new VirtualClock();
  const random = seededRandom(7);
  const dropped: Dropped<OptimisticEvent>[] = [];
  const faults: unknown[] = [];
  const stream = openStream({
    stream: subject,
    actorId: "ana",
    store,
    clock,
    random,
    initial: emptyFold,
    rules: streamRules(aggregates, law, subject),
    onDropped: (each) => dropped.push(each),
    onFault: (fault) => faults.push(fault),
    ...(onPageEnd && { onPageEnd }),
    ...(rebase && { rebase }),
    keep: {
      put: (events) => events.forEach((event) => device.set(event.id, event)),
      remove: (ids) => ids.forEach((id) => device.delete(id)),
    },
  });
  const name = () => subjectOf(stream.view().fold, page, "p").state.name;
  return { stream, clock, dropped, faults, name };
}

it("[STREAM-1] shows a proposal at once and settles it by its ruling", async () => {
  const { store, rows } = server();
  const { stream, name } = client(store);
  const outcome = stream.act("workspace.created", { name: "Rule" });
  expect(name()).toBe("Rule");
  expect(stream.view().health).toBe("sending");
  expect(await outcome).toEqual({ ok: true, version: 1 });
  expect(stream.view().health).toBe("synced");
  expect(rows).toHaveLength(1);
});

it("[STREAM-2] sends proposals in order, one at a time", async () => {
  const { store, rows } = server();
  const { stream } = client(store);
  await Promise.all(
    ["a", "b", "c"].map((name, at) =>
      stream.act(at === 0 ? "workspace.created" : "workspace.renamed", { name }),
    ),
  );
  expect(rows.map(({ body }) => body)).toEqual([{ name: "a" }, { name: "b" }, { name: "c" }]);
});

it("[STREAM-3] takes a refused proposal back and reports it once", async () => {
  const { store, state } = server();
  const { stream, dropped, name } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  state.refusal = { name: "not-permitted", detail: "" };
  expect(await stream.act("workspace.renamed", { name: "Mine" })).toEqual({
    ok: false,
    refusal: state.refusal,
  });
  expect(name()).toBe("Rule");
  expect(dropped.map(({ refusal }) => refusal.name)).toEqual(["not-permitted"]);
});

it("[STREAM-4] keeps a proposal while the server is away and sends the same one again", async () => {
  const { store, state, rows } = server();
  const { stream, clock, name } = client(store);
  state.fault = new StoreFault("no answer", 0);
  const outcome = stream.act("workspace.created", { name: "Rule" });
  await clock.advance(20_000);
  expect(stream.view().health).toBe("stalled");
  expect(name()).toBe("Rule");
  expect(state.appends.length).toBeGreaterThan(3);
  state.fault = null;
  await clock.advance(10_000);
  expect(await outcome).toEqual({ ok: true, version: 1 });
  expect(new Set(state.appends).size).toBe(1);
  expect(rows).toHaveLength(1);
});

it("[STREAM-13] keeps a proposal under another person's session, and sends the same one once its own is back", async () => {
  const { store, state, rows } = server();
  const { stream, clock, dropped, name } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  state.refusal = { name: "not-permitted", reason: "other-account", detail: "" };
  const outcome = stream.act("workspace.renamed", { name: "Mine" });
  await clock.advance(60_000);
  expect([stream.view().health, name(), dropped.length]).toEqual(["stalled", "Mine", 0]);
  state.refusal = null;
  await clock.advance(20_000);
  expect(await outcome).toEqual({ ok: true, version: 2 });
  expect(new Set(state.appends).size).toBe(2);
  expect(rows).toHaveLength(2);
});

it("[STREAM-13] names its person with every append, including the last one of a page", async () => {
  const { store } = server();
  const actors: unknown[] = [];
  let end = () => {};
  const { stream, clock } = client(
    {
      ...store,
      append: (...call) => {
        actors.push(call[3]);
        return store.append(...call);
      },
      appendAtOnce: (...call) => {
        actors.push(call[2]);
        return null;
      },
    },
    (listener) => {
      end = listener;
      return () => {};
    },
  );
  const outcome = stream.act("workspace.created", { name: "Rule" });
  end();
  await clock.advance(0);
  await outcome;
  expect(actors).toEqual(["ana", "ana"]);
});

it("[STREAM-14] keeps a proposal on the device until its ruling, and the next page proposes it again", async () => {
  const { store, state, rows } = server();
  const device = new Map<string, OptimisticEvent>();
  const first = client(store, undefined, device);
  await first.stream.act("workspace.created", { name: "Rule" });
  expect(device.size).toBe(0);
  state.fault = new StoreFault("no answer", 0);
  void first.stream.act("workspace.renamed", { name: "Mine" });
  await first.clock.advance(0);
  expect([...device.values()].map(({ body }) => body)).toEqual([{ name: "Mine" }]);
  first.stream.close();
  expect(device.size).toBe(1);

  const next = client(store, undefined, device);
  next.stream.catchUp();
  state.fault = null;
  await next.clock.advance(20_000);
  const outcome = next.stream.resume([...device.values()]);
  expect(next.name()).toBe("Mine");
  expect(await outcome).toEqual({ ok: true, version: 2 });
  expect(device.size).toBe(0);
  expect(rows.map(({ body }) => body)).toEqual([{ name: "Rule" }, { name: "Mine" }]);
});

it("[STREAM-14] sends the proposal of an earlier page to the database, which may have recorded it", async () => {
  const { store, rows } = server();
  const device = new Map<string, OptimisticEvent>();
  const first = client(
    {
      ...store,
      append: async (...call) => {
        await store.append(...call);
        throw new StoreFault("the answer is lost", 0);
      },
    },
    undefined,
    device,
  );
  void first.stream.act("workspace.created", { name: "Rule" });
  await first.clock.advance(0);
  first.stream.close();
  expect(rows).toHaveLength(1);
  const { stream, clock, dropped, name } = client(store, undefined, device);
  stream.catchUp();
  await clock.advance(0);
  // The client's own law forbids creating a subject twice.
  expect(await stream.resume([...device.values()])).toEqual({ ok: true, version: 1 });
  expect([dropped, name(), rows.length, device.size]).toEqual([[], "Rule", 1, 0]);
});

it("[STREAM-14] reports the refusal of an earlier page's proposal, and deletes it from the device", async () => {
  const { store, state } = server();
  const device = new Map<string, OptimisticEvent>();
  const first = client(store, undefined, device);
  await first.stream.act("workspace.created", { name: "Rule" });
  state.fault = new StoreFault("no answer", 0);
  void first.stream.act("workspace.renamed", { name: "Mine" });
  first.stream.close();
  state.fault = null;
  state.refusal = { name: "not-permitted", detail: "" };
  const { stream, clock, dropped } = client(store, undefined, device);
  stream.catchUp();
  await clock.advance(0);
  expect(await stream.resume([...device.values()])).toMatchObject({ ok: false });
  expect(dropped).toHaveLength(1);
  expect(device.size).toBe(0);
});

it("[STREAM-5] reads the events of others after a notice or a ruling", async () => {
  const { store, others } = server();
  const { stream, clock, name } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  others("workspace.renamed", { name: "Theirs" }, "open");
  others("workspace.renamed", { name: "Theirs too" }, "open");
  stream.heard(3);
  await clock.advance(0);
  expect(name()).toBe("Theirs too");
  others("workspace.renamed", { name: "Unheard" }, "open");
  expect(await stream.act("workspace.renamed", { name: "Mine" })).toEqual({ ok: true, version: 5 });
  expect(name()).toBe("Mine");
});

it("[STREAM-6] drops a proposal that a newer event made illegal", async () => {
  const { store, state, others } = server();
  const { stream, clock, dropped } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  state.fault = new StoreFault("no answer", 503);
  const outcome = stream.act("workspace.renamed", { name: "Late" });
  others("document.trashed", {}, "closed");
  stream.heard(2);
  await clock.advance(100);
  expect(await outcome).toMatchObject({ ok: false, refusal: { name: "illegal-transition" } });
  expect(dropped).toHaveLength(1);
  expect(stream.view().fold.version).toBe(2);
});

it("[STREAM-7] asks once for a version that it may not read", async () => {
  const { store, state } = server();
  const { stream, clock } = client(store);
  state.readable = false;
  stream.heard(9);
  await clock.advance(60_000);
  expect(state.reads).toBe(1);
});

it("[STREAM-8] refuses a proposal inside a closed host without asking the server", async () => {
  const { store, state } = server();
  const { stream } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  expect(await stream.act("version.pinned", {}, { kind: "note", id: "n" })).toMatchObject({
    ok: true,
  });
  await stream.act("document.trashed", {});
  const asked = state.appends.length;
  expect(await stream.act("version.pinned", {}, { kind: "note", id: "m" })).toMatchObject({
    ok: false,
  });
  expect(state.appends).toHaveLength(asked);
});

it("[STREAM-9] sends a batch in one append, which is refused as a whole", async () => {
  const { store, state } = server();
  const { stream, dropped } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  const batch: Act[] = [
    { type: "workspace.renamed", body: { name: "Rules" }, subject },
    { type: "version.pinned", body: {}, subject: { kind: "note", id: "n" } },
  ];
  expect(await stream.actTogether(batch)).toEqual({ ok: true, version: 3 });
  state.refusal = { name: "not-permitted", detail: "" };
  const asked = state.appends.length;
  expect(
    await stream.actTogether([
      { type: "workspace.renamed", body: { name: "Law" }, subject },
      { type: "version.pinned", body: {}, subject: { kind: "note", id: "m" } },
    ]),
  ).toMatchObject({ ok: false });
  expect(state.appends).toHaveLength(asked + 2);
  expect(dropped).toHaveLength(2);
  expect(subjectOf(stream.view().fold, page, "p").state.name).toBe("Rules");
});

it("[STREAM-9] takes rulings that another reader has read, and reads the missing ones", async () => {
  const { store, state, others } = server();
  const { stream, clock } = client(store);
  await stream.act("workspace.created", { name: "Rule" });
  const [second, , fourth] = ["Two", "Three", "Four"].map((name) =>
    others("workspace.renamed", { name }, "open"),
  );
  if (!second || !fourth) throw new Error("nothing recorded");
  const reads = state.reads;
  stream.ruled([second]);
  expect(subjectOf(stream.view().fold, page, "p").state.name).toBe("Two");
  expect(state.reads).toBe(reads);
  stream.ruled([fourth]);
  await clock.advance(0);
  expect(subjectOf(stream.view().fold, page, "p").state.name).toBe("Four");
});

it("[STREAM-12] sends unruled proposals in the last tick of its page, in order, and each once", async () => {
  const { store, state, rows } = server();
  const ends = new Set<() => void>();
  const endPage = () => ends.forEach((listener) => listener());
  const sent: (readonly string[])[] = [];
  const { stream, clock } = client(
    {
      ...store,
      appendAtOnce: (id, proposals) => {
        sent.push(proposals.map((each) => each.id));
        return store.append(id, null, [...proposals]);
      },
    },
    (listener) => (ends.add(listener), () => void ends.delete(listener)),
  );
  await stream.act("workspace.created", { name: "Rule" });
  expect(ends.size).toBe(0);
  state.fault = new StoreFault("no answer", 0);
  const outcomes = ["First", "Second"].map((name) => stream.act("workspace.renamed", { name }));
  await clock.advance(10);
  expect(rows).toHaveLength(1);
  state.fault = null;
  endPage();
  expect(sent.map((ids) => ids.length)).toEqual([2]);
  await clock.advance(0);
  expect(rows.map(({ body }) => body)).toEqual(
    ["Rule", "First", "Second"].map((name) => ({ name })),
  );
  // The page stays open after all.
  await clock.advance(20_000);
  expect(await Promise.all(outcomes)).toEqual([
    { ok: true, version: 2 },
    { ok: true, version: 3 },
  ]);
  expect(rows).toHaveLength(3);
  expect(ends.size).toBe(0);
  // An event that would use up the text's share is not sent at page end.
  state.fault = new StoreFault("no answer", 0);
  void stream.act("workspace.renamed", { name: "港".repeat(2_700) });
  endPage();
  expect(sent).toHaveLength(1);
});

it("[STREAM-10] continues after an unexpected fault, and reports it", async () => {
  const { store, state, rows, others } = server();
  const { stream, clock, faults, name } = client(store);
  state.fault = new TypeError("a chunk did not load");
  const outcome = stream.act("workspace.created", { name: "Rule" });
  await clock.advance(100);
  expect(faults).toEqual([state.fault]);
  expect(stream.view().health).toBe("stalled");
  state.fault = null;
  await clock.advance(10_000);
  expect(await outcome).toEqual({ ok: true, version: 1 });
  expect(rows).toHaveLength(1);
  others("workspace.renamed", { name: "Theirs" }, "open");
  state.readFault = new TypeError("a row that cannot be read");
  stream.heard(2);
  await clock.advance(100);
  state.readFault = null;
  await clock.advance(10_000);
  expect([name(), stream.view().health]).toEqual(["Theirs", "synced"]);
});

it("[STREAM-10] fails pending and later proposals once it is closed", async () => {
  const { store, state } = server();
  const { stream, clock } = client(store);
  state.fault = new StoreFault("no answer", 0);
  const outcomes = [
    stream.act("workspace.created", { name: "Rule" }),
    stream.actTogether([{ type: "workspace.renamed", body: { name: "Law" }, subject }]),
  ];
  await clock.advance(2_000);
  stream.close();
  outcomes.push(stream.act("workspace.renamed", { name: "Late" }));
  for (const outcome of await Promise.all(outcomes)) expect(outcome.ok).toBe(false);
  const sent = state.appends.length;
  await clock.advance(60_000);
  expect(state.appends).toHaveLength(sent);
});

describe("a change to a value that others have changed", () => {
  const replaced: Refusal = { name: "version-conflict", reason: "replaced-since", detail: "" };
  /** Creates a client whose rename waits while another rename is recorded. */
  async function overtaken(rebase?: Parameters<typeof openStream>[0]["rebase"]) {
    const { store, state, rows, others } = server();
    const { stream, clock, dropped, name } = client(store, undefined, undefined, rebase);
    await stream.act("workspace.created", { name: "Rule" });
    others("workspace.renamed", { name: "Theirs" }, "open");
    state.refusal = replaced;
    const outcome = stream.act("workspace.renamed", { name: "Mine" }, subject, "Rule");
    return { store, state, rows, stream, clock, dropped, name, outcome };
  }

  it("[STREAM-15] is merged with the value in the log, and sent again under its id", async () => {
    const { state, rows, dropped, name, outcome } = await overtaken((proposal, fold) => {
      state.refusal = null;
      const { name: recorded } = subjectOf(fold, page, "p").state;
      return proposal.type === "workspace.renamed"
        ? { ...proposal, body: { name: `${recorded}, mine` }, replaces: recorded }
        : null;
    });
    expect(await outcome).toEqual({ ok: true, version: 3 });
    expect(rows.at(-1)?.body).toEqual({ name: "Theirs, mine" });
    expect(name()).toBe("Theirs, mine");
    expect(dropped).toEqual([]);
    expect(state.appends.slice(-2)).toEqual([rows.at(-1)?.id, rows.at(-1)?.id]);
  });

  it.each([
    ["cannot be merged", () => null],
    ["stays the same when rebased", (proposal: OptimisticEvent) => proposal],
  ])("[STREAM-15] is refused where it %s", async (_name, rebase) => {
    const { state, dropped, name, outcome } = await overtaken(rebase);
    expect(await outcome).toEqual({ ok: false, refusal: replaced });
    expect(name()).toBe("Theirs");
    expect(dropped).toHaveLength(1);
    expect(state.appends).toHaveLength(2);
  });

  it("[STREAM-15] is kept while the log cannot be read", async () => {
    const { state, rows, stream, clock, dropped, outcome } = await overtaken((proposal) => ({
      ...proposal,
      replaces: "Theirs",
    }));
    state.readFault = new StoreFault("down", 503);
    await clock.advance(2_000);
    expect(stream.view().health).toBe("stalled");
    expect(dropped).toEqual([]);
    [state.readFault, state.refusal] = [null, null];
    await clock.advance(60_000);
    expect(await outcome).toMatchObject({ ok: true });
    expect(rows.at(-1)?.body).toEqual({ name: "Mine" });
  });
});
