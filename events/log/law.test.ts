import { describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import type { AnyStateMachine } from "xstate";
import * as z from "zod/mini";
import type { Aggregate } from "./aggregate";
import { compileLaw, transitionRows } from "./law";

const nothing = z.strictObject({});
const meta = { right: "editor" } as const;

function aggregate(machine: AnyStateMachine, types = ["thing.made"]): Aggregate {
  return {
    kind: "thing",
    streamKind: "document",
    schemas: Object.fromEntries(types.map((type) => [type, nothing])),
    hosts: [],
    host: null,
    updates: [],
    redactable: {},
    machine,
    start: () => ({ phase: "absent", state: null }),
    evolve: (folded) => folded,
    founded: () => null,
  };
}

const made = { "thing.made": { target: "made", meta } };
const machine = (absent: object, more: object = {}) =>
  createMachine({
    id: "thing",
    initial: "absent",
    states: { absent: { on: made, ...absent }, made: {} },
    ...more,
  });

describe("the law", () => {
  it("[LOG-12] is one row for each phase and event that XState allows", () => {
    expect(transitionRows(aggregate(machine({})))).toEqual([
      {
        streamKind: "document",
        subjectKind: "thing",
        fromPhase: "absent",
        eventType: "thing.made",
        toPhase: "made",
        right: "editor",
      },
    ]);
  });

  it("[LOG-12] inherits the transitions of the root in every phase", () => {
    const rooted = createMachine({
      id: "thing",
      initial: "absent",
      on: { "thing.unmade": { target: ".absent", meta } },
      states: { absent: { on: made }, made: {} },
    });
    const law = compileLaw([aggregate(rooted, ["thing.made", "thing.unmade"])]);
    expect(law.judge("thing", "made", "thing.unmade")).toEqual({
      ok: true,
      toPhase: "absent",
      right: "editor",
    });
    expect(law.judge("thing", "made", "thing.made")).toEqual({
      ok: false,
      refusal: "illegal-transition",
    });
  });

  const inexpressible: Record<string, AnyStateMachine> = {
    "a guard": machine({ on: { "thing.made": { target: "made", guard: () => true, meta } } }),
    "an action": machine({
      on: { "thing.made": { target: "made", actions: () => undefined, meta } },
    }),
    wildcard: machine({ on: { ...made, "*": { target: "made", meta } } }),
    eventless: machine({ always: "made" }),
    delayed: machine({ after: { 10: "made" } }),
    parallel: machine({}, { type: "parallel", initial: undefined }),
    history: createMachine({
      id: "thing",
      initial: "absent",
      states: { absent: { on: made }, made: {}, past: { type: "history" } },
    }),
    nested: machine({ initial: "inner", states: { inner: {} } }),
    invoked: machine({ invoke: { src: "something" } }),
    "entry or exit": machine({ entry: () => undefined }),
    "without a target": machine({ on: { "thing.made": {} } }),
    "more than one transition": machine({
      on: {
        "thing.made": [
          { target: "made", meta },
          { target: "absent", meta },
        ],
      },
    }),
    final: createMachine({
      id: "thing",
      initial: "absent",
      states: {
        absent: { on: made },
        made: { type: "final", on: { "thing.made": { target: "made", meta } } },
      },
    }),
    "requires no right": machine({ on: { "thing.made": { target: "made" } } }),
    "initial phase": createMachine({
      id: "thing",
      initial: "made",
      states: { absent: { on: made }, made: {} },
    }),
  };
  it.each(Object.entries(inexpressible))(
    "[LOG-25] refuses a machine that rows cannot express: %s",
    (words, wrong) => {
      expect(() => transitionRows(aggregate(wrong))).toThrow(words);
    },
  );

  it("[LOG-25] refuses an event that no phase accepts, and one without a schema", () => {
    expect(() => transitionRows(aggregate(machine({}), ["thing.made", "thing.lost"]))).toThrow(
      "no phase accepts thing.lost",
    );
    const stray = machine({ on: { ...made, "thing.stray": { target: "made", meta } } });
    expect(() => transitionRows(aggregate(stray))).toThrow("thing.stray, which has no schema");
  });
});
