import { describe, expect, it } from "vitest";
import { importsOf } from "@/tests/support/import-cycles";

const file = (name: string) => `machines/sync/${name}.ts`;
/** The stages of a keystroke, in order. */
const stages = [
  "pending/local-edits",
  "pending/pending-edits",
  "log/log-writer",
  "log/log-reader",
  "page/live-page",
].map(file);
/** The owners of the stages; a stage that imported one of these could call back through it. */
const owners = ["document-pipeline", "open-document", "live-document"].map(file);

/**
 * The files that a stage imports, directly or indirectly, without those reached through the next
 * stage.
 */
function reached(stage: string, next: string | undefined): Set<string> {
  const found = new Set<string>();
  const visit = (from: string) => {
    for (const each of importsOf(from)) {
      if (found.has(each)) continue;
      found.add(each);
      if (each !== next) visit(each);
    }
  };
  visit(stage);
  return found;
}

describe("the path of a keystroke", () => {
  it.each(stages.map((stage, index) => ({ stage, next: stages[index + 1] })))(
    "[HOUSE-14] $stage knows no stage but the next, and no owner",
    ({ stage, next }) => {
      const known = [...reached(stage, next)];
      expect(known.filter((each) => stages.includes(each) && each !== next)).toEqual([]);
      expect(known.filter((each) => owners.includes(each))).toEqual([]);
    },
  );

  it("[HOUSE-14] the pipeline contains all of its stages", () => {
    const parts = importsOf(file("document-pipeline"));
    expect(stages.filter((stage) => !parts.includes(stage))).toEqual([]);
  });
});
