import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineAggregate, lifecycle } from "./aggregate";
import { redactableKeysOf } from "./body-shapes";

const text = z.string().check(z.maxLength(9));
const schemas = {
  "comment.added": z.strictObject({ text }),
  "comment.edited": z.strictObject({ text }),
};
const aggregate = (redactable: { "comment.added"?: ["text"]; "comment.edited"?: ["text"] }) =>
  defineAggregate({
    kind: "comment",
    streamKind: "document",
    schemas,
    hosts: [],
    updates: [],
    redactable,
    machine: lifecycle(schemas).createMachine({
      id: "comment",
      initial: "absent",
      states: { absent: {} },
    }),
    initial: () => ({}),
    reducers: { "comment.added": () => {}, "comment.edited": () => {} },
  });

describe("redactable keys", () => {
  it("[REDACT-2] are those that the aggregates name", () => {
    expect(
      redactableKeysOf([aggregate({ "comment.added": ["text"], "comment.edited": ["text"] })]),
    ).toEqual(["text"]);
    expect(redactableKeysOf([aggregate({})])).toEqual([]);
  });

  it("[REDACT-2] must be named by every type that has them", () => {
    expect(() => redactableKeysOf([aggregate({ "comment.added": ["text"] })])).toThrow(
      "comment.edited.text",
    );
  });
});
