import { describe, expect, it } from "vitest";
import { emptyCatalogue, lawStatements } from "./law-catalogue";
import type { Catalogue, VersionedSchema } from "./law-catalogue";
import type { TransitionRow } from "./law";

const rule: TransitionRow = {
  streamKind: "document",
  subjectKind: "document",
  fromPhase: "live",
  eventType: "document.renamed",
  toPhase: "live",
  right: "editor",
};
const schema: VersionedSchema = {
  eventType: "document.renamed",
  streamKind: "document",
  subjectKind: "document",
  carriesUpdate: false,
  shape: { type: "object", properties: {} },
  version: 1,
};
const law: Catalogue = {
  transitions: [rule],
  hosting: [{ subjectKind: "document", phase: "live" }],
  schemas: [schema],
};

describe("a law migration", () => {
  it("[LOG-25] inserts new rows, and is empty without a change", () => {
    const text = lawStatements(emptyCatalogue, law).join("\n");
    expect(text.match(/insert into/g)).toHaveLength(3);
    expect(text).not.toContain("retired_at = now()");
    expect(lawStatements(law, law)).toEqual([]);
  });

  it("[LOG-25] retires removed rows and deletes nothing", () => {
    const text = lawStatements(law, emptyCatalogue).join("\n");
    expect(text.match(/set retired_at = now\(\)/g)).toHaveLength(3);
    expect(text).not.toMatch(/delete|insert/);
  });

  it("[LOG-25] changes the right of a rule in place, and replaces a rule with another target phase", () => {
    const stricter = lawStatements(law, { ...law, transitions: [{ ...rule, right: "owner" }] });
    expect(stricter).toHaveLength(1);
    expect(stricter[0]).toContain("do update set needs = excluded.needs");
    const elsewhere = lawStatements(law, {
      ...law,
      transitions: [{ ...rule, toPhase: "trashed" }],
    });
    expect(elsewhere.map((statement) => statement.slice(0, 6))).toEqual(["update", "insert"]);
  });

  it("[LOG-25] quotes its values", () => {
    const text = lawStatements(emptyCatalogue, {
      ...emptyCatalogue,
      hosting: [{ subjectKind: `it's`, phase: "x" }],
    }).join();
    expect(text).toContain(`'it''s'`);
  });
});
