import { expect, test } from "vitest";
import { deedWords } from "./action-words";

const whose = (userId: string) => (userId === "ben" ? "your" : "somebody’s");
const deed = (type: string, body: { [key: string]: string | number | null } = {}) =>
  deedWords({ type, body, actorId: "ana" }, whose);

test("[ACT-15] names what somebody else did to the text at one stroke, and nothing that is written letter by letter", () => {
  expect(deed("document.reverted", { toVersion: 3 })).toMatch(/^restored an earlier moment\./);
  expect(
    deed("document.reworked", {
      kind: "passage",
      author: null,
      from: null,
      to: 3,
      quote: "We correct promptly",
    }),
  ).toMatch(/^took back a passage, “We correct promptly”\./);
  expect(
    deed("document.reworked", { kind: "author", author: "ben", from: 2, to: 3, quote: null }),
  ).toMatch(/^took back your changes\./);
  expect(
    deed("document.reworked", { kind: "author", author: "ana", from: 2, to: 3, quote: null }),
  ).toMatch(/^took back changes of their own\./);
  expect(deed("document.merged", { document: "d", version: 3 })).toMatch(
    /^merged another document into this one\./,
  );
  expect(deed("document.redacted", { event: "e", reason: "" })).toMatch(/^redacted an edit\./);
  expect(
    ["document.edited", "document.renamed", "thread.opened"].map((type) => deed(type)),
  ).toEqual([null, null, null]);
});
