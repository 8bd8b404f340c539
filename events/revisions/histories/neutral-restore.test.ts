import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountOfChanges } from "@/events/analysis/account-of-changes";
import { ownWriting } from "@/events/analysis/own-writing";
import type { Timeline } from "@/events/history/timeline/timeline";
import { cases } from "@/events/core/cases.fixture";
import { RestoredHistory } from "../restored-history.fixture";
import { allStatements } from "./statements.fixture";
import { anySteps } from "./steps.fixture";
import { aroundUndoneRestore, onceChanged } from "./undone-restores.fixture";

function expectSameStatements({ before, after }: { before: Timeline; after: Timeline }) {
  for (const [name, tell] of Object.entries(allStatements))
    expect([name, tell(after, before.version)]).toEqual([name, tell(before, before.version)]);
}

describe("an undone restore", () => {
  it("[UNDERSTAND-20] changes no statement about authorship, lines, the account, lives, deletions, own data or search, for a version or for a person's changes", () => {
    let restored = 0;
    const undoneRestore = fc.record({
      steps: anySteps,
      restoring: fc.nat(2),
      undoing: fc.nat(2),
      of: fc.option(fc.nat(2)),
      spaced: fc.boolean(),
      pick: fc.nat(),
    });
    fc.assert(
      fc.property(undoneRestore, (each) => {
        const around = aroundUndoneRestore(each);
        if (!around) return;
        restored += 1;
        expectSameStatements(around);
      }),
      { numRuns: cases(180) },
    );
    expect(restored).toBeGreaterThan(cases(90));
  });

  it.each(onceChanged.map((each) => [each.name, each] as const))(
    "[UNDERSTAND-20] %s",
    (_, each) => {
      const around = aroundUndoneRestore(each);
      expect(around).not.toBeNull();
      if (around) expectSameStatements(around);
    },
  );

  it("[UNDERSTAND-20] leaves the written account, its headings and each person's own passages as they were", () => {
    const history = new RestoredHistory();
    history.act({ kind: 0, at: 0, size: 0, writer: 0 });
    history.sync(1);
    history.act({ kind: 1, at: 0, size: 1, writer: 1 });
    const { timeline } = history;
    const told = (now: Timeline) => ({
      account: accountOfChanges(now, { after: -1, to: now.length - 1 }).map(
        ({ author, section, added, addedText }) => ({ author, section, added, addedText }),
      ),
      own: ["Ana", "Ben"].map((person) => ownWriting(now, person).map(({ text }) => text)),
    });
    const before = told(timeline);
    const restored = history.restore(2, { kind: "revision", timeline, index: 0 }) ?? 0;
    history.undo(2, restored);
    expect(told(history.timeline)).toEqual(before);
  });
});
