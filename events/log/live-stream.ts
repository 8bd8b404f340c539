/**
 * Drives one stream's log: sends proposals one at a time and in order, reads on when the log is
 * known to be ahead, and notifies listeners. The module decides nothing: the rules define what is
 * legal, and the store reports what was recorded.
 */
import { backoff } from "@/events/core/backoff";
import type { Clock, Random } from "@/events/core/clock";
import type { Evolving } from "./aggregate";
import { toWire } from "@/events/core/envelope";
import type { Proposal, Subject } from "@/events/core/envelope";
import { typedEvent } from "@/events/core/event-types";
import type { BodyOf, EventType, TypedEvent } from "@/events/core/event-types";
import { hasGap, merge, startLog } from "./log-merge";
import type { Change, Dropped, Rules, StreamLog } from "./log-merge";
import { PendingKeeper } from "./pending-keeper";
import type { Keep } from "./pending-keeper";
import type { Refusal } from "./refusal";
import { StoreFault } from "./store";
import type { Store } from "./store";
import type { StreamFold } from "./stream-fold";
import type { OptimisticEvent } from "./stream-rules";

/**
 * `synced`: no request is in flight. `sending`: a request is in flight. `stalled`: the server does
 * not respond, and proposals are kept and retried.
 */
export type StreamHealth = "synced" | "sending" | "stalled";
export type StreamView = { fold: StreamFold; health: StreamHealth };
export type Outcome = { ok: true; version: number } | { ok: false; refusal: Refusal };

export type Act<T extends EventType = EventType> = TypedEvent<T> & {
  subject: Subject;
  /** The title, name or icon that this event replaces. */
  replaces?: string;
};

export type LiveStream = {
  view(): StreamView;
  subscribe(listener: () => void): () => void;
  /**
   * Proposes an event. The promise settles when the server rules or refuses, or when a ruling makes
   * the proposal illegal.
   */
  act<T extends EventType>(
    type: T,
    body: BodyOf<T>,
    subject?: Subject,
    replaces?: string,
  ): Promise<Outcome>;
  /** Proposes several events as one all-or-nothing batch. Settles with the last of them. */
  actTogether(events: readonly Act[]): Promise<Outcome>;
  /**
   * Proposes an earlier page's unacknowledged events again, under the same ids. Settles with the
   * last of them. The log may already hold the events, so the database alone judges them.
   */
  resume(events: readonly OptimisticEvent[]): Promise<Outcome>;
  /** Receives rulings, in order, that another reader has read from the log. */
  ruled(events: readonly Evolving[]): void;
  /** Reports that the log holds `version` events. Reads on if this stream has fewer. */
  heard(version: number): void;
  /** Reads everything after the current version, for example after a lost connection. */
  catchUp(): void;
  /**
   * Closes the stream. Proposals without a ruling settle as refused, although the database may
   * still record them.
   */
  close(): void;
};

type StreamInput = {
  stream: Subject;
  actorId: string;
  store: Store;
  rules: Rules<StreamFold, OptimisticEvent, Evolving>;
  clock: Clock;
  random: Pick<Random, "uuid" | "unit">;
  initial: StreamFold;
  /**
   * Merges a proposal with the value that has meanwhile replaced the one it replaces. Returns the
   * proposal to send again, or null if the two cannot be merged.
   */
  rebase?: (proposal: OptimisticEvent, fold: StreamFold) => OptimisticEvent | null;
  /** Called once for each proposal that was refused or became illegal. */
  onDropped: (dropped: Dropped<OptimisticEvent>) => void;
  /**
   * Called for faults that neither the network nor the server caused. The operation is still
   * retried.
   */
  onFault?: (fault: unknown) => void;
  /** Calls the listener when the page is about to end. Returns the function that unsubscribes. */
  onPageEnd?: (listener: () => void) => () => void;
  /** Stores proposals on the device until they are ruled. */
  keep?: Keep;
};

/** Returns the proposal as which an optimistic event is sent. */
export function proposalOf({
  actorId: _actorId,
  time,
  batch: _batch,
  ...event
}: OptimisticEvent): Proposal {
  return { ...event, clientTime: time };
}

const closedRefusal: Refusal = { name: "illegal-transition", detail: "the stream was closed" };
const retrying = { first: 500, longest: 20_000 };
/**
 * The most bytes that are sent at page end. Keep-alive requests may carry 64 KiB per page, of which
 * the text may need 40 000 in base64.
 */
const mostAtPageEnd = 8_000;
const encoder = new TextEncoder();

/** Opens a stream at a known fold and keeps the stream current until it is closed. */
export function openStream(input: StreamInput): LiveStream {
  const { stream, actorId, store, clock, random, onDropped, onFault, onPageEnd, keep } = input;
  const { rebase = () => null } = input;
  const resumed = new Set<string>();
  const rules: typeof input.rules = {
    ...input.rules,
    judge(state, proposal) {
      const verdict = input.rules.judge(state, proposal);
      return verdict.ok || !resumed.has(proposal.id) ? verdict : { ok: true, toPhase: "" };
    },
    // If the log already holds the event, the state already includes its effect.
    optimistic: (state, proposal, toPhase) =>
      input.rules.judge(state, proposal).ok
        ? input.rules.optimistic(state, proposal, toPhase)
        : state,
  };
  const keeper = new PendingKeeper(keep);
  let log: StreamLog<StreamFold, OptimisticEvent> = startLog(input.initial.version, input.initial);
  let stalled = false;
  let closed = false;
  let reading: Promise<void> | null = null;
  let readAgain = false;
  let sending: string | null = null;
  let attempt = 0;
  let view: StreamView = { fold: log.view, health: "synced" };
  const listeners = new Set<() => void>();
  const waiting = new Map<string, (outcome: Outcome) => void>();
  const timers = new Set<() => void>();
  let stopFlushing: (() => void) | null = null;

  const health = (): StreamHealth =>
    stalled ? "stalled" : log.pending.length > 0 ? "sending" : "synced";

  const publish = () => {
    const isPending = log.pending.length > 0 && !closed;
    if (isPending) stopFlushing ??= onPageEnd?.(flush) ?? null;
    else {
      stopFlushing?.();
      stopFlushing = null;
    }
    const next = { fold: log.view, health: health() };
    if (next.fold === view.fold && next.health === view.health) return;
    view = next;
    for (const listener of listeners) listener();
  };

  /**
   * Sends all proposals without a ruling. This includes those in flight, since their request may
   * end with the page. One batch keeps the order. If the page stays open, the proposals are sent
   * again and get the same rulings.
   */
  const flush = () => {
    const proposals = log.pending.map(({ proposal }) => proposalOf(proposal));
    const { byteLength } = encoder.encode(JSON.stringify(proposals.map(toWire)));
    if (byteLength > mostAtPageEnd) return;
    store.appendAtOnce?.(stream.id, proposals, actorId)?.catch(() => undefined);
  };

  const settle = (id: string, outcome: Outcome) => {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  };

  const apply = (...changes: readonly Change<StreamFold, OptimisticEvent, Evolving>[]) => {
    const before = log;
    for (const change of changes) {
      log = merge(log, change, rules);
      if (change.type === "ruled" && change.event.version <= log.version)
        settle(change.event.id, { ok: true, version: change.event.version });
    }
    const known = new Set(before.dropped.map(({ proposal }) => proposal.id));
    for (const dropped of log.dropped) {
      if (known.has(dropped.proposal.id)) continue;
      settle(dropped.proposal.id, { ok: false, refusal: dropped.refusal });
      onDropped(dropped);
    }
    keeper.follow(log.pending);
    publish();
  };

  /** Reports a fault that is not a StoreFault, which is a bug, and keeps sending. */
  const unexpected = (fault: unknown) => {
    if (!(fault instanceof StoreFault)) onFault?.(fault);
  };

  const later = (delay: number, task: () => void) => {
    const cancel = clock.after(delay, () => {
      timers.delete(cancel);
      if (!closed) task();
    });
    timers.add(cancel);
  };

  const retry = (task: () => void) => {
    stalled = true;
    publish();
    attempt += 1;
    later(backoff(random, attempt, retrying), task);
  };

  const answered = () => {
    attempt = 0;
    stalled = false;
    publish();
  };

  const readOn = async () => {
    try {
      while (readAgain && !closed) {
        readAgain = false;
        const rows = await store.read(stream.id, log.version);
        answered();
        for (const event of rows) apply({ type: "ruled", event });
        // A version that was announced but cannot be read is no longer readable here. Reading on
        // would never end.
        if (rows.length > 0 && hasGap(log)) readAgain = true;
      }
    } catch (fault) {
      unexpected(fault);
      retry(() => void read());
    }
  };

  const read = (): Promise<void> => {
    readAgain = true;
    reading ??= readOn().finally(() => {
      reading = null;
    });
    return reading;
  };

  const send = async () => {
    const next = log.pending[0]?.proposal;
    if (sending !== null || !next || closed) return;
    const batch =
      next.batch === undefined
        ? [next]
        : log.pending.flatMap(({ proposal }) => (proposal.batch === next.batch ? [proposal] : []));
    sending = next.id;
    const sendAgain = () =>
      retry(() => {
        sending = null;
        void send();
      });
    const refuse = (refusal: Refusal) => {
      apply(...batch.map(({ id }) => ({ type: "refused" as const, id, refusal })));
    };
    try {
      const begins = log.version === 0;
      const proposals = batch.map(proposalOf);
      const answer = await store.append(stream.id, begins ? 0 : null, proposals, actorId);
      answered();
      if (answer.ok) {
        for (const { id, version, toPhase, recordedAt } of answer.rulings) {
          const proposal = batch.find((each) => each.id === id);
          if (!proposal) continue;
          const { type, body, subject } = proposal;
          apply({
            type: "ruled",
            event: {
              id,
              type,
              body,
              subject,
              actorId,
              streamId: stream.id,
              version,
              toPhase,
              recordedAt,
            },
          });
        }
        if (hasGap(log)) await read();
      } else if (answer.refusal.name === "version-conflict" && begins) await read();
      else if (answer.refusal.reason === "other-account") {
        // The batch waits until its author signs in again.
        sendAgain();
        return;
      } else if (answer.refusal.reason === "replaced-since") {
        await read();
        if (stalled) {
          sendAgain();
          return;
        }
        const rebased = batch.map((proposal) => rebase(proposal, log.state));
        // The log as read here does not show why the database refused.
        const isSame = rebased.every((proposal, index) => proposal === batch[index]);
        if (isSame) refuse(answer.refusal);
        else {
          const whole = rebased.flatMap((proposal) => proposal ?? []);
          if (whole.length < batch.length) refuse(answer.refusal);
          else apply(...whole.map((proposal) => ({ type: "rebased" as const, proposal })));
        }
      } else refuse(answer.refusal);
    } catch (fault) {
      unexpected(fault);
      if (!(fault instanceof StoreFault) || fault.retryable || fault.status === 401) {
        sendAgain();
        return;
      }
      refuse({ name: "invalid-event", detail: fault.message });
    }
    sending = null;
    void send();
  };

  const propose = (acts: readonly Act[], batch: string | undefined): Promise<Outcome> => {
    const time = new Date(clock.now()).toISOString();
    const proposals = acts.map((each) => ({
      ...each,
      id: random.uuid(),
      actorId,
      time,
      ...(batch !== undefined && { batch }),
    }));
    const last = proposals.at(-1);
    if (!last) throw new Error("A batch must have at least one event");
    const outcome = new Promise<Outcome>((resolve) => waiting.set(last.id, resolve));
    if (closed) settle(last.id, { ok: false, refusal: closedRefusal });
    else apply(...proposals.map((proposal) => ({ type: "proposed" as const, proposal })));
    void send();
    return outcome;
  };

  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    act: (type, body, subject = stream, replaces) =>
      propose(
        [{ ...typedEvent(type, body), subject, ...(replaces !== undefined && { replaces }) }],
        undefined,
      ),
    actTogether: (events) => propose(events, random.uuid()),
    resume(events) {
      const last = events.at(-1);
      if (!last) throw new Error("There are no proposals to resume");
      const outcome = new Promise<Outcome>((resolve) => waiting.set(last.id, resolve));
      for (const { id } of events) resumed.add(id);
      keeper.knows(events);
      apply(...events.map((proposal) => ({ type: "proposed" as const, proposal })));
      void send();
      return outcome;
    },
    ruled(events) {
      for (const event of events) apply({ type: "ruled", event });
      if (hasGap(log)) void read();
    },
    heard(version) {
      if (version > log.version) void read();
    },
    catchUp() {
      void read();
    },
    close() {
      closed = true;
      stopFlushing?.();
      for (const cancel of timers) cancel();
      timers.clear();
      listeners.clear();
      // No ruling will come, so pending promises must settle here.
      for (const id of [...waiting.keys()]) settle(id, { ok: false, refusal: closedRefusal });
    },
  };
}
