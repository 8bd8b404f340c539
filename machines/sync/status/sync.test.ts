import { describe, expect, it } from "vitest";
import { getAdjacencyMap } from "xstate/graph";
import type { SnapshotFrom } from "xstate";
import { StoreFault } from "@/events/log/store";
import { syncMachine } from "./sync";
import type { SendOutcome, SyncEvent, Trouble } from "./sync-events";
import { status } from "../sync-status";

type Snapshot = SnapshotFrom<typeof syncMachine>;

const outcomes: SendOutcome[] = [
  { kind: "empty" },
  { kind: "more" },
  { kind: "waiting" },
  { kind: "refused", refusal: { name: "not-permitted", detail: "" } },
  { kind: "signed-out" },
];

/** All events that the machine can receive: from its owner, its two actors, and its delays. */
const ownerEvents: SyncEvent[] = [
  { type: "link.connecting" },
  { type: "link.joined" },
  { type: "link.lost" },
  { type: "log.noticed" },
  { type: "edited" },
  { type: "flush" },
  { type: "retry" },
  { type: "session.ended" },
  { type: "session.restored" },
  { type: "access.changed", access: "write" },
  { type: "access.changed", access: "read" },
  { type: "access.changed", access: "none" },
  { type: "storage.failed", full: true },
  { type: "storage.restored" },
  { type: "offline" },
  { type: "online" },
];
const readings = ["catchingUp", "offline", "connecting"].map(
  (state) => `0.sync.link.${state}.reading`,
);
const sending = "0.sync.outbox.sending";
const faults = [new StoreFault("no network", 0), new StoreFault("the database is down", 503)];
const answered = [
  ...readings.flatMap((actorId) => [
    { type: `xstate.done.actor.${actorId}`, actorId, output: undefined },
    ...faults.map((error) => ({ type: `xstate.error.actor.${actorId}`, actorId, error })),
  ]),
  ...outcomes.map((output) => ({ type: `xstate.done.actor.${sending}`, actorId: sending, output })),
  ...faults.map((error) => ({ type: `xstate.error.actor.${sending}`, actorId: sending, error })),
];
const elapsed = [
  "gather.sync.link.catchingUp.gathering",
  "reread.sync.link.catchingUp.pausing",
  "poll.sync.link.live",
  "alone.sync.link.offline.resting",
  "alone.sync.link.connecting.resting",
  "grace.sync.contact.brief",
  "flush.sync.outbox.waiting.gathering",
  "held.sync.outbox.waiting.held",
  "resend.sync.outbox.retrying",
  "silence.sync.outbox.sending",
  ...["catchingUp", "offline", "connecting"].map((state) => `silence.sync.link.${state}.reading`),
].map((name) => ({ type: `xstate.after.${name}` }));

const keyOf = ({ value, context }: Snapshot) =>
  JSON.stringify([value, context.again, context.accepted, context.failures > 0]);

const graph = getAdjacencyMap(syncMachine, {
  // XState's own events for actors and delays are not in the machine's event type.
  events: [...ownerEvents, ...answered, ...elapsed] as SyncEvent[],
  serializeState: (snapshot) => keyOf(snapshot),
  limit: 1_000_000,
});
const states: Snapshot[] = Object.values(graph).map(({ state }) => state);

type Step = { event: SyncEvent; state: Snapshot };
const steps = (transitions: { [key: string]: Step }): Step[] => Object.values(transitions);

/** Returns every state from which a state that passes the test can be reached. */
function leadingTo(test: (snapshot: Snapshot) => boolean): Set<string> {
  const before = new Map<string, string[]>();
  for (const [from, { transitions }] of Object.entries(graph)) {
    for (const { state } of steps(transitions)) {
      const to = keyOf(state);
      before.set(to, [...(before.get(to) ?? []), from]);
    }
  }
  const found = new Set(
    Object.entries(graph).flatMap(([key, { state }]) => (test(state) ? [key] : [])),
  );
  const queue = [...found];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const from of before.get(key) ?? []) {
      if (found.has(from)) continue;
      found.add(from);
      queue.push(from);
    }
  }
  return found;
}

/** Returns the states to which `offline` leads from a state. A final state leads to none. */
const byKey = new Map(Object.entries(graph));
const offlineFrom = (snapshot: Snapshot): Snapshot[] =>
  steps(byKey.get(keyOf(snapshot))?.transitions ?? {}).flatMap(({ event, state }) =>
    event.type === "offline" ? [state] : [],
  );

// The troubles are shown but decide no transition.
const troubles: Trouble[] = [
  "unreachable",
  "silence",
  "fault",
  "session",
  "blocked",
  "foreign",
  "too-large",
  "too-often",
];
/** One state for each combination of regions that the status distinguishes. */
const shownStates = [
  ...new Map(
    states.map((state) => {
      const { contact, outbox, session, access, storage } = state.value;
      return [JSON.stringify([contact, outbox, session, access, storage]), state];
    }),
  ).values(),
];
const inTrouble = ({ value, context }: Snapshot) =>
  troubles.flatMap((trouble) =>
    [true, false].map((network) => ({ value, context: { ...context, trouble, network } })),
  );

const withPending = (snapshot: Pick<Snapshot, "value" | "context">, pending: number) => ({
  value: snapshot.value,
  context: { ...snapshot.context, pending, elsewhere: "none" as const },
});
const leaves = (region: "link" | "outbox") =>
  new Set(states.map(({ value }) => JSON.stringify(value[region])));

describe("the sync machine", () => {
  it("reaches each state of the link and of the outbox", () => {
    expect(leaves("link")).toEqual(
      new Set([
        '{"offline":"resting"}',
        '{"offline":"reading"}',
        '{"connecting":"resting"}',
        '{"connecting":"reading"}',
        '"live"',
        '{"catchingUp":"gathering"}',
        '{"catchingUp":"reading"}',
        '{"catchingUp":"pausing"}',
      ]),
    );
    expect(leaves("outbox")).toEqual(
      new Set([
        '"empty"',
        '"sending"',
        '"retrying"',
        '"refused"',
        '{"waiting":"gathering"}',
        '{"waiting":"held"}',
      ]),
    );
  });

  it("[SYNC-5] can return from every state to a saved, live document", () => {
    const back = leadingTo(
      (snapshot) =>
        snapshot.value.link === "live" &&
        snapshot.value.outbox === "empty" &&
        status(withPending(snapshot, 0)).label === "Saved" &&
        snapshot.value.storage === "device",
    );
    expect(back.size).toBe(Object.keys(graph).length);
  });

  it('[SYNC-5] never says "Saved" while an edit is not in the log', () => {
    for (const snapshot of states) expect(status(withPending(snapshot, 1)).label).not.toBe("Saved");
  });

  it('says "Offline" or asks for a sign-in only for a reason', () => {
    for (const snapshot of states) {
      const shown = status(withPending(snapshot, 0));
      const { contact, session, access } = snapshot.value;
      if (shown.label === "Offline") expect(contact).toBe("missing");
      if (shown.label === "Not connected") expect(contact).toBe("missing");
      expect(shown.label === "Signed out").toBe(session === "ended");
      expect(shown.label === "No access").toBe(session === "present" && access === "none");
      expect(shown.action === "sign-in").toBe(session === "ended");
    }
  });

  it("[SYNC-14] tells a missing network from a failing server, after the grace period", () => {
    const unsaved = shownStates.flatMap(inTrouble).map((snapshot) => ({
      snapshot,
      shown: status(withPending(snapshot, 1)),
    }));
    const plain = unsaved.filter(({ snapshot: { value } }) => {
      const held = value.outbox !== "refused" && value.session === "present";
      return held && value.access === "write";
    });
    expect(plain.length).toBeGreaterThan(100);
    for (const { snapshot, shown } of plain) {
      const { contact } = snapshot.value;
      const label =
        contact !== "missing"
          ? "Saving…"
          : snapshot.context.trouble === "unreachable" ||
              (snapshot.context.trouble === "silence" && !snapshot.context.network)
            ? "Offline"
            : "Not saved";
      expect(shown.label).toBe(label);
      const unsaved = snapshot.context.trouble === "too-large" ? "move" : "retry";
      expect(shown.action).toBe(label === "Not saved" ? unsaved : null);
    }
  });

  it("[SYNC-14] [OFFLINE-1] skips the grace period when a document opens without a network", () => {
    const opened = states.filter(({ value }) => value.contact === "brief");
    expect(opened.length).toBeGreaterThan(10);
    for (const snapshot of opened) {
      const [next] = offlineFrom(snapshot);
      expect(next?.value.contact).toBe("missing");
    }
    for (const snapshot of states.filter(({ value }) => value.contact === "made"))
      expect(offlineFrom(snapshot)[0]?.value.contact).toBe("brief");
  });

  it(
    "[SYNC-14] clears a sending fault only after a successful send, and any other only " +
      "after a success",
    () => {
      for (const { state, transitions } of Object.values(graph)) {
        if (state.value.contact !== "missing") continue;
        for (const { event, state: next } of steps(transitions)) {
          if (next.value.contact === "missing") continue;
          // XState's own done events are not in the machine's event type.
          const type: string = event.type;
          expect(next.value.contact).toBe("made");
          if (state.context.failures > 0) expect(type).toBe(`xstate.done.actor.${sending}`);
          else expect(type === "caught.up" || type.startsWith("xstate.done.actor.")).toBe(true);
        }
      }
    },
  );

  it("starts to send an edit from every state with an empty outbox", () => {
    for (const [, { state, transitions }] of Object.entries(graph)) {
      if (state.value.outbox !== "empty") continue;
      const typed = steps(transitions).find(({ event }) => event.type === "edited");
      expect(typed?.state.value.outbox).toEqual({ waiting: "gathering" });
    }
  });
});
