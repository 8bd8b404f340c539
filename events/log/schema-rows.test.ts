import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { compileShape } from "./schema-rows";
import { oneEmoji } from "@/events/core/text/emoji";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { writtenId } from "@/events/core/ids/written-id";

describe("a compiled schema", () => {
  it("[LOG-9] expresses everything that the subset allows", () => {
    const schema = z.strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(80)),
      shown: z.string().check(z.maxLength(80), z.regex(emptyOrVisible)),
      sign: z.nullable(z.string().check(z.maxLength(16), z.regex(oneEmoji))),
      color: z.int().check(z.minimum(0), z.maximum(11)),
      count: z.int(),
      who: z.nullable(writtenId),
      role: z.enum(["a", "b"]),
      yes: z.boolean(),
      list: z.array(z.string().check(z.maxLength(3))).check(z.maxLength(2)),
    });
    expect(compileShape(schema, "body")).toEqual({
      type: "object",
      properties: {
        name: { type: "string", min: 1, max: 80 },
        shown: { type: "string", min: 0, max: 80, visible: true },
        sign: { nullable: true, type: "string", min: 0, max: 16, format: "emoji" },
        color: { type: "integer", min: 0, max: 11 },
        count: { type: "integer", min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
        who: { nullable: true, type: "uuid" },
        role: { type: "enum", values: ["a", "b"] },
        yes: { type: "boolean" },
        list: { type: "array", items: { type: "string", min: 0, max: 3 }, min: 0, max: 2 },
      },
    });
  });

  const outside: Record<string, [z.ZodMiniType, string]> = {
    "text without a maximum length": [z.string(), "maximum length"],
    "a list without a maximum length": [z.array(z.boolean()), "maximum length"],
    "a loose object": [z.object({}), "must be strict"],
    "a pattern": [z.string().check(z.maxLength(3), z.regex(/a/)), "cannot be compiled"],
    "a transform": [
      z.pipe(
        z.string(),
        z.transform((text) => text),
      ),
      "cannot be compiled",
    ],
    "a refinement": [z.strictObject({}).check(z.refine(() => true)), "cannot be compiled"],
    "an optional key": [
      z.strictObject({ a: z.optional(z.boolean()) }),
      "optional cannot be compiled",
    ],
    "a fraction": [z.number(), "z.int()"],
    "an open limit": [z.int().check(z.gt(3)), "inclusive"],
    "a union": [z.union([z.boolean(), z.int()]), "cannot be compiled"],
    "an id in either case": [z.guid(), "lower case"],
    "an email": [z.email(), "cannot be compiled"],
    "a record": [z.record(z.string(), z.boolean()), "cannot be compiled"],
  };
  it.each(Object.entries(outside))("[LOG-25] refuses %s", (_name, [schema, words]) => {
    expect(() => compileShape(schema, "body")).toThrow(words);
  });
});
