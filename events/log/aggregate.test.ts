import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineAggregate, lifecycle } from "./aggregate";
import type { Evolving } from "./aggregate";
import { emptyFold, foldEvent, phaseOf, subjectOf, subjectsOf } from "./stream-fold";

const schemas = {
  "light.lit": z.strictObject({ watt: z.int() }),
  "light.put_out": z.strictObject({}),
};
const meta = { right: "editor" } as const;
const machine = lifecycle(schemas).createMachine({
  id: "light",
  initial: "absent",
  states: {
    absent: { on: { "light.lit": { target: "lit", meta } } },
    lit: { on: { "light.put_out": { target: "dark", meta } } },
    dark: {},
  },
});
const light = defineAggregate({
  kind: "light",
  streamKind: "document",
  schemas,
  hosts: [],
  updates: [],
  machine,
  initial: () => ({ watt: 0, by: "" }),
  reducers: {
    "light.lit": (draft, { watt }, { actorId }) => {
      draft.watt = watt;
      draft.by = actorId;
    },
    "light.put_out": (draft) => {
      draft.watt = 0;
    },
  },
  firstMember: {
    event: "workspace.created",
    phase: "lit",
    subjectId: () => "hearth",
    state: () => ({ watt: 9, by: "" }),
  },
});

const event = (
  type: string,
  toPhase: string,
  body: Evolving["body"] = {},
  kind = "light",
  id = "l1",
): Evolving => ({
  id: "e",
  version: 1,
  subject: { kind, id },
  streamId: "s",
  actorId: "ana",
  recordedAt: "",
  type,
  toPhase,
  body,
});

describe("a fold", () => {
  it(
    "[LOG-14] takes the recorded phase and the state of the reducer, and leaves the previous " +
      "fold untouched",
    () => {
      const before = foldEvent([light], emptyFold, event("light.lit", "lit", { watt: 5 }));
      const after = foldEvent([light], before, { ...event("light.put_out", "dark"), version: 2 });
      expect(subjectOf(after, light, "l1")).toEqual({
        phase: "dark",
        state: { watt: 0, by: "ana" },
      });
      expect(subjectOf(before, light, "l1")).toEqual({
        phase: "lit",
        state: { watt: 5, by: "ana" },
      });
      expect(after.version).toBe(2);
      expect(phaseOf(after, { kind: "light", id: "l2" })).toBe("absent");
    },
  );

  it("[LOG-14] keeps a recorded phase, even one that the law does not have", () => {
    const folded = foldEvent([light], emptyFold, event("light.put_out", "attic"));
    expect(phaseOf(folded, { kind: "light", id: "l1" })).toBe("attic");
  });

  it("[LOG-14] keeps the phases of unknown kinds and types", () => {
    const folded = foldEvent([light], emptyFold, event("lamp.moved", "moved", {}, "lamp"));
    expect(phaseOf(folded, { kind: "lamp", id: "l1" })).toBe("moved");
    const later = foldEvent([light], folded, event("light.painted", "lit", { color: 1 }));
    expect(subjectOf(later, light, "l1")).toEqual({ phase: "lit", state: { watt: 0, by: "" } });
  });

  it("[LOG-14] adds the first subject of a kind with its founding event", () => {
    const folded = foldEvent(
      [light],
      emptyFold,
      event("workspace.created", "active", {}, "house", "h"),
    );
    expect(subjectsOf(folded, light)).toEqual([
      { id: "hearth", folded: { phase: "lit", state: { watt: 9, by: "" } } },
    ]);
  });
});

describe("the compiler", () => {
  it("rejects an aggregate with a missing reducer, field or schema", () => {
    const common = {
      kind: "light",
      streamKind: "document",
      schemas,
      hosts: [],
      updates: [],
      machine,
      initial: () => ({ watt: 0 }),
    } as const;
    // @ts-expect-error a reducer is missing
    defineAggregate({ ...common, reducers: { "light.lit": () => {} } });
    defineAggregate({
      ...common,
      reducers: {
        // @ts-expect-error the schema has no such field
        "light.lit": (draft, { volt }) => void (draft.watt = volt),
        "light.put_out": () => {},
      },
    });
    lifecycle(schemas).createMachine({
      initial: "absent",
      // @ts-expect-error an event that has no schema
      states: { absent: { on: { "light.lost": { target: "absent" } } } },
    });
    expect(light.kind).toBe("light");
  });
});
