import { transition } from "xstate";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { phasesOf, rights } from "./aggregate";
import type { Aggregate, Right } from "./aggregate";

/**
 * One rule of the law: in this phase, this event is legal, leads to that phase and requires this
 * right.
 */
export type TransitionRow = {
  streamKind: string;
  subjectKind: string;
  fromPhase: string;
  eventType: string;
  toPhase: string;
  right: Right;
};

export type Verdict =
  { ok: true; toPhase: string; right: Right } | { ok: false; refusal: "illegal-transition" };

function assertExpressible(node: AnyStateNode): void {
  const refuse = (what: string) => {
    throw new Error(`${node.id}: ${what} cannot be expressed as a row of the law`);
  };
  if (node.type === "parallel") refuse("a parallel state");
  if (node.type === "history") refuse("a history state");
  if (node.parent && node.type === "compound") refuse("a nested state");
  if (node.type === "final" && node.transitions.size > 0)
    refuse("a transition out of a final state");
  if (node.always && node.always.length > 0) refuse("an eventless transition");
  if (node.invoke.length > 0) refuse("an invoked actor");
  if (node.after.length > 0) refuse("a delayed transition");
  if (node.entry.length > 0 || node.exit.length > 0) refuse("an entry or exit action");
  for (const [descriptor, candidates] of node.transitions) {
    if (descriptor.includes("*")) refuse(`the wildcard ${descriptor}`);
    if (candidates.length !== 1) refuse(`more than one transition on ${descriptor}`);
    for (const candidate of candidates) {
      if (candidate.guard) refuse(`a guard on ${descriptor}`);
      if (candidate.actions.length > 0) refuse(`an action on ${descriptor}`);
      if (candidate.target?.length !== 1) refuse(`${descriptor} without a target`);
    }
  }
  for (const child of Object.values(node.states)) assertExpressible(child);
}

function stateNode(machine: AnyStateMachine, phase: string): AnyStateNode {
  const node = machine.states[phase];
  if (!node) throw new Error(`${machine.id} has no phase ${phase}`);
  return node;
}

function rightOf(machine: AnyStateMachine, phase: string, type: string): Right {
  const [candidate] =
    stateNode(machine, phase).transitions.get(type) ?? machine.root.transitions.get(type) ?? [];
  const named: unknown = candidate?.meta?.right;
  const right = rights.find((known) => known === named);
  if (!right)
    throw new Error(`${machine.id}: the transition on ${type} in ${phase} requires no right`);
  return right;
}

/**
 * Computes the transitions of every phase and event with XState. Throws on a transition that a row
 * cannot express.
 */
export function transitionRows(aggregate: Aggregate): TransitionRow[] {
  const { machine, kind, streamKind } = aggregate;
  assertExpressible(machine.root);
  const { initial, all } = phasesOf(machine);
  if (initial !== "absent")
    throw new Error(`${kind}: the initial phase must be "absent", not "${initial}"`);
  const types = Object.keys(aggregate.schemas);
  const rows = all.flatMap((fromPhase) =>
    types.flatMap((eventType): TransitionRow[] => {
      const snapshot = machine.resolveState({ value: fromPhase, context: {} });
      if (!snapshot.can({ type: eventType })) return [];
      const [next] = transition(machine, snapshot, { type: eventType });
      const right = rightOf(machine, fromPhase, eventType);
      return [
        { streamKind, subjectKind: kind, fromPhase, eventType, toPhase: String(next.value), right },
      ];
    }),
  );
  for (const type of types)
    if (!rows.some((row) => row.eventType === type))
      throw new Error(`${kind}: no phase accepts ${type}`);
  for (const type of machine.events)
    if (!types.includes(type))
      throw new Error(`${kind}: the machine accepts ${type}, which has no schema`);
  return rows;
}

export type Law = {
  rows: readonly TransitionRow[];
  /** Whether `type` is legal for a subject of this kind and phase, and the phase it leads to. */
  judge(subjectKind: string, phase: string, type: string): Verdict;
};

/**
 * Indexes the rows of all aggregates by kind, phase and type. XState defines the rows but stays off
 * the hot path.
 */
export function compileLaw(aggregates: readonly Aggregate[]): Law {
  const rows = aggregates.flatMap(transitionRows);
  const byQuestion = new Map(
    rows.map((row) => [`${row.subjectKind} ${row.fromPhase} ${row.eventType}`, row]),
  );
  return {
    rows,
    judge(subjectKind, phase, type) {
      const row = byQuestion.get(`${subjectKind} ${phase} ${type}`);
      return row
        ? { ok: true, toPhase: row.toPhase, right: row.right }
        : { ok: false, refusal: "illegal-transition" };
    },
  };
}
