import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountOfChanges } from "@/events/analysis/account-of-changes";
import { ownWriting } from "@/events/analysis/own-writing";
import { type Timeline } from "@/events/history/timeline/timeline";
import { cases } from "@/events/core/cases.fixture";
import { type RestoreRequest } from "../restore";
import { RestoredHistory, writers } from "../restored-history.fixture";
import { statements } from "./statements.fixture";
import { anySteps, historyOf, typing } from "./steps.fixture";

describe("a restore that is undone", () => {
  it("[UNDERSTAND-20] changes nothing that is said of authorship, lines, lives, deletions and own data, whether it restored a version or took a person's changes back", () => {
    let restored = 0;
    const who = fc.record({
      restoring: fc.nat(2),
      undoing: fc.nat(2),
      of: fc.option(fc.nat(2)),
      /** Whether the words stand between spaces, which are equal letters of several writers. */
      spaced: fc.boolean(),
    });
    fc.assert(
      fc.property(anySteps, who, fc.nat(), (steps, { restoring, undoing, of, spaced }, pick) => {
        const history = spaced ? historyOf(typing(steps)) : historyOf(steps, "");
        const { timeline } = history;
        const request: RestoreRequest =
          of === null
            ? { kind: "revision", timeline, index: pick % timeline.length }
            : {
                kind: "author",
                timeline,
                author: writers[of] ?? "Ana",
                from: 0,
                to: timeline.length - 1,
              };
        const version = history.restore(restoring, request);
        if (version === null) return;
        restored += 1;
        history.undo(undoing, version);
        for (const [name, tell] of Object.entries(statements))
          expect([name, tell(history.timeline, timeline.version)]).toEqual([
            name,
            tell(timeline, timeline.version),
          ]);
      }),
      { numRuns: cases(60) },
    );
    expect(restored).toBeGreaterThan(cases(30));
  });

  it("[UNDERSTAND-20] leaves the written account, its headings and a writer's own passages as they were", () => {
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
