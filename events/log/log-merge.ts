/**
 * One stream as one client sees it: acknowledged events (the server's *rulings*), then this
 * client's pending proposals.
 *
 *      ruled ──────────────────▶│ pending ──────────▶
 *      1  2  3  4  5 … version  │ p1  p2  p3
 *      state                    │ view: state with p1 … p3 on top
 *
 * 1. A ruling is folded by its recorded phase and never judged again: the law may have changed
 *    since.
 * 2. A proposal is judged when it is made and again after every change beneath it. A proposal that
 *    becomes illegal is dropped, visibly.
 * 3. `version` only grows, by one. A ruling with a later version is not folded: `heard` remembers
 *    the version, and the caller reads the gap.
 * 4. A proposal ends exactly once: ruled or dropped. Deliveries may be repeated, late or in any
 *    order.
 * 5. A projection may replace the rulings that it contains if no proposal is in flight: it does not
 *    name the proposals that it contains.
 */
import type { Refusal } from "./refusal";

export type Verdict = { ok: true; toPhase: string } | { ok: false; refusal: Refusal };

/**
 * The functions by which a merge judges and folds a stream. A proposal is folded with the phase
 * that the law predicts.
 */
export type Rules<State, P, R> = {
  judge: (state: State, proposal: P) => Verdict;
  optimistic: (state: State, proposal: P, toPhase: string) => State;
  fold: (state: State, ruled: R) => State;
};

export type Pending<P> = { proposal: P; toPhase: string };
export type Dropped<P> = { proposal: P; refusal: Refusal };

export type StreamLog<State, P> = {
  readonly version: number;
  readonly heard: number;
  readonly state: State;
  /** The state that the user sees: the ruled state with every still legal proposal on top. */
  readonly view: State;
  readonly pending: readonly Pending<P>[];
  /** The most recently dropped proposals. */
  readonly dropped: readonly Dropped<P>[];
};

export type Change<State, P, R> =
  | { type: "proposed"; proposal: P }
  | { type: "ruled"; event: R }
  | { type: "refused"; id: string; refusal: Refusal }
  /** A pending proposal was rewritten under the same id. */
  | { type: "rebased"; proposal: P }
  | { type: "projected"; version: number; state: State };

type Identified = { id: string };
type Numbered = { id: string; version: number };

/**
 * Creates a log that begins with the state after `version` events. A stream without events has
 * version 0.
 */
export function startLog<State, P>(version: number, state: State): StreamLog<State, P> {
  return { version, heard: version, state, view: state, pending: [], dropped: [] };
}

/** Whether the server is known to hold rulings that this log has not folded. */
export function hasGap<State, P>(log: StreamLog<State, P>): boolean {
  return log.heard > log.version;
}

/** Returns the log after one change, or the same object if the change has no effect. */
export function merge<State, P extends Identified, R extends Numbered>(
  log: StreamLog<State, P>,
  change: Change<State, P, R>,
  rules: Rules<State, P, R>,
): StreamLog<State, P> {
  switch (change.type) {
    case "proposed": {
      const { proposal } = change;
      if ([...log.pending, ...log.dropped].some((known) => known.proposal.id === proposal.id))
        return log;
      return judged({ ...log, pending: [...log.pending, { proposal, toPhase: "" }] }, rules);
    }
    case "rebased": {
      const { proposal } = change;
      const isPending = log.pending.some((each) => each.proposal.id === proposal.id);
      if (!isPending) return log;
      const pending = log.pending.map((each) =>
        each.proposal.id === proposal.id ? { ...each, proposal } : each,
      );
      return judged({ ...log, pending }, rules);
    }
    case "refused": {
      const refused = log.pending.find(({ proposal }) => proposal.id === change.id);
      if (!refused) return log;
      const pending = log.pending.filter((each) => each !== refused);
      const dropped = newest([
        ...log.dropped,
        { proposal: refused.proposal, refusal: change.refusal },
      ]);
      return judged({ ...log, pending, dropped }, rules);
    }
    case "ruled": {
      const { event } = change;
      if (event.version > log.version + 1)
        return event.version > log.heard ? { ...log, heard: event.version } : log;
      const settled = settle(log, event.id);
      if (event.version <= log.version) return settled === log ? log : judged(settled, rules);
      const { version } = event;
      return judged(
        {
          ...settled,
          version,
          heard: Math.max(log.heard, version),
          state: rules.fold(log.state, event),
        },
        rules,
      );
    }
    case "projected": {
      const { version, state } = change;
      if (version <= log.version) return log;
      return judged({ ...log, version, heard: Math.max(log.heard, version), state }, rules);
    }
  }
}

/**
 * Removes a ruled proposal from both lists. A client with an older law may have dropped a proposal
 * that the server accepted.
 */
function settle<State, P extends Identified>(
  log: StreamLog<State, P>,
  id: string,
): StreamLog<State, P> {
  const pending = log.pending.filter(({ proposal }) => proposal.id !== id);
  const dropped = log.dropped.filter(({ proposal }) => proposal.id !== id);
  if (pending.length === log.pending.length && dropped.length === log.dropped.length) return log;
  return { ...log, pending, dropped };
}

/** The most dropped proposals that are remembered, in case the server rules one after all. */
const mostDropped = 1_000;

function newest<P>(dropped: Dropped<P>[]): Dropped<P>[] {
  return dropped.length > mostDropped ? dropped.slice(-mostDropped) : dropped;
}

/**
 * Judges every pending proposal again on the new state and drops those that are no longer legal.
 */
function judged<State, P, R>(
  log: StreamLog<State, P>,
  rules: Rules<State, P, R>,
): StreamLog<State, P> {
  let view = log.state;
  const pending: Pending<P>[] = [];
  const dropped = [...log.dropped];
  for (const { proposal } of log.pending) {
    const verdict = rules.judge(view, proposal);
    if (verdict.ok) {
      pending.push({ proposal, toPhase: verdict.toPhase });
      view = rules.optimistic(view, proposal, verdict.toPhase);
    } else dropped.push({ proposal, refusal: verdict.refusal });
  }
  return { ...log, view, pending, dropped: newest(dropped) };
}
