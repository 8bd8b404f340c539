import { describe, expect, it } from "vitest";
import { compareRevisions } from "@/events/analysis/comparison/comparison";
import { timelineOfSteps } from "@/events/analysis/analysis.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { forkOf } from "@/events/revisions/fork";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { authorsOf } from "./authors";
import { roleOf } from "@/events/analysis/comparison/node-roles";

const source = "00000000-0000-4000-8000-00000000000a";
const start = Date.UTC(2026, 10, 14);

function merged() {
  const there = stream(
    "Minutes",
    richEdits([{ kind: 0, at: 0, size: 1, writer: 1, word: "written elsewhere" }]).map(
      ({ update }) => [{ update, time: start, actorId: "Ben" }],
    ),
  );
  const created = row(
    { version: 1, actorId: "Ana", type: "document.created", body: { title: "" } },
    start,
  );
  const rows = forkOf(there, source).map((piece, index) =>
    row(
      {
        version: index + 2,
        actorId: "Ana",
        type: "document.merged",
        body: { document: source, version: there.length },
        ...piece,
      },
      start,
    ),
  );
  return openTimeline([created, ...rows]);
}

describe("a change’s author", () => {
  const people = new Map([["Ana", { userId: "Ana", name: "Ana Perez", color: 3 }]]);

  it("is not the person who copied it in [FORK-9]", () => {
    const timeline = merged();
    const { source: compared, namesOf, personAt, copyInOf } = authorsOf(timeline, people);
    const { changes } = compareRevisions(compared, 0, timeline.length - 1, roleOf);
    expect(changes.map(namesOf)).toEqual([["the merged document"]]);
    expect(
      changes.map((change) => [personAt(change.revision).name, copyInOf(change)?.source]),
    ).toEqual([["the merged document", source]]);
  });

  it("is the person who wrote it here", () => {
    const timeline = timelineOfSteps({ who: "Ana", kind: 0, size: 1, word: "written here" });
    const { source: compared, namesOf, copyInOf } = authorsOf(timeline, people);
    const { changes } = compareRevisions(compared, 0, timeline.length - 1, roleOf);
    expect(changes.map((change) => [namesOf(change), copyInOf(change)])).toEqual([[["Ana"], null]]);
  });
});
