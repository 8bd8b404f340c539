import { expect, test } from "vitest";
import { actionWords } from "./action-words";

const whose = (userId: string) => (userId === "ben" ? "your" : "somebody’s");
const action = (type: string, body: { [key: string]: string | number | null } = {}) =>
  actionWords({ type, body, actorId: "ana" }, whose);

test(
  "[ACT-15] names restores, reverts, merges and redactions by another person, " +
    "but no edits, titles or threads",
  () => {
    expect(action("document.reverted", { toVersion: 3 })).toMatch(/^restored an earlier version\./);
    expect(
      action("document.reworked", {
        kind: "passage",
        author: null,
        from: null,
        to: 3,
        quote: "We correct promptly",
      }),
    ).toMatch(/^reverted a passage, “We correct promptly”\./);
    expect(
      action("document.reworked", { kind: "author", author: "ben", from: 2, to: 3, quote: null }),
    ).toMatch(/^reverted your changes\./);
    expect(
      action("document.reworked", { kind: "author", author: "ana", from: 2, to: 3, quote: null }),
    ).toMatch(/^reverted changes of their own\./);
    expect(action("document.merged", { document: "d", version: 3 })).toMatch(
      /^merged another document into this one\./,
    );
    expect(action("document.redacted", { event: "e", reason: "" })).toMatch(/^redacted an edit\./);
    expect(
      ["document.edited", "document.renamed", "thread.opened"].map((type) => action(type)),
    ).toEqual([null, null, null]);
  },
);
