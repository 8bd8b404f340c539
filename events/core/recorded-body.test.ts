import { describe, expect, expectTypeOf, it } from "vitest";
import type { EventTypeOf } from "./event-types";
import { bodyOf, descriptionOf } from "./recorded-body";
import type { ByType } from "./recorded-body";

const imported = (body: { [key: string]: string | number | object }) =>
  bodyOf(
    { type: "document.imported", body: JSON.parse(JSON.stringify(body)) },
    "document.imported",
  );

describe("reading a body", () => {
  it("[LOG-25] returns the fields of its schema, in their types", () => {
    const body = bodyOf({ type: "version.named", body: { at: 3, name: "Rule" } }, "version.named");
    expect(body).toEqual({ at: 3, name: "Rule" });
    expectTypeOf(body?.at).toEqualTypeOf<number | undefined>();
    // @ts-expect-error -- A key that no body of this type has.
    expect(body?.title).toBeUndefined();
  });

  it("[LOG-25] returns null for a row of another type, and no fields for a body that is no object", () => {
    expect(bodyOf({ type: "version.renamed", body: { name: "Rule" } }, "version.named")).toBeNull();
    for (const body of [null, "Rule", ["Rule"], 7])
      expect(bodyOf({ type: "version.named", body }, "version.named")).toEqual({});
  });

  it("[REDACT-2] keeps the fields that a redaction left", () => {
    expect(bodyOf({ type: "version.named", body: { at: 3, name: "" } }, "version.named")).toEqual({
      at: 3,
      name: "",
    });
    expect(imported({ document: "d", label: "", authors: [] })).toEqual({
      document: "d",
      label: "",
      authors: [],
    });
  });

  it(
    "[LOG-25] drops fields that do not match the schema: other types, values, keys, and null " +
      "where it is not allowed",
    () => {
      const read = (body: { [key: string]: string | number | null }) =>
        bodyOf({ type: "document.reworked", body }, "document.reworked");
      expect(
        read({ kind: "chapter", author: 4, from: null, to: "9", quote: null, mood: "" }),
      ).toEqual({ from: null, quote: null });
      expect(read({ kind: "author", to: null })).toEqual({ kind: "author" });
      expect(imported({ authors: [{ name: "Ana", clients: [7] }] })).toEqual({
        authors: [{ name: "Ana", clients: [7] }],
      });
      expect(imported({ authors: [{ name: "Ana", clients: ["7"] }] })).toEqual({});
      const threadSubject = { kind: "thread", id: "t" };
      for (const [subject, isReadable] of [
        [threadSubject, true],
        [null, true],
        [{ kind: "thread" }, false],
        ["thread", false],
      ] as const)
        expect(
          bodyOf({ type: "document.step_imported", body: { subject } }, "document.step_imported"),
        ).toEqual(isReadable ? { subject } : {});
    },
  );
});

describe("a table of descriptions", () => {
  const table: ByType<EventTypeOf<"comment">, string, string> = {
    "comment.added": ({ text }, who) => `${who} said ${text ?? "nothing"}`,
    "comment.edited": null,
    "comment.deleted": (_body, who) => `${who} took it back`,
  };
  const described = (type: string, body = {}) => descriptionOf(table, { type, body }, "Ana");

  it("[LOG-25] describes an event by its body, and no event of an unknown type", () => {
    expect(described("comment.added", { text: "yes" })).toBe("Ana said yes");
    expect(described("comment.added")).toBe("Ana said nothing");
    expect(described("comment.deleted")).toBe("Ana took it back");
    expect(described("comment.edited")).toBeNull();
    expect(described("comment.sung")).toBeNull();
    expect(described("toString")).toBeNull();
  });

  it("[LOG-25] does not compile without one of its types", () => {
    // @ts-expect-error -- `comment.deleted` is missing.
    const short: ByType<EventTypeOf<"comment">, string, string> = {
      "comment.added": null,
      "comment.edited": null,
    };
    expect(Object.keys(short)).toHaveLength(2);
  });
});
