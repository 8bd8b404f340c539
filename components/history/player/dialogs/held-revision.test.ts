import { expect, it } from "vitest";
import * as Y from "yjs";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { namedVersions } from "@/events/history/timeline/named-versions";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { addressAt, revisionOf } from "@/machines/replay/replay-opening";
import { heldRevision, nameableFrom } from "./held-revision";

const start = Date.UTC(2026, 10, 14, 15, 42);

/** Creates a history of batches with these numbers of letters, one edit per letter. */
function history(...sizes: number[]) {
  const doc = new Y.Doc();
  const text = doc.getText("t");
  let time = start;
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const batches = sizes.map((size) =>
    Array.from({ length: size }, () => {
      text.insert(text.length, "a");
      const update = updates.at(-1);
      if (!update) throw new Error("Nothing was written.");
      return { update, time: (time += 1_000), actorId: "Ana" };
    }),
  );
  return stream("Minutes", batches);
}

it("[ACT-8] a name, a link and a comparison address exactly the shown revision", () => {
  const rows = history(1, 4, 2, 5);
  const timeline = openTimeline(rows);
  expect(timeline.length).toBe(13);
  for (let shown = 0; shown < timeline.length; shown += 1) {
    expect(revisionOf(timeline, addressAt(timeline, shown))).toBe(shown);
    const nameable = nameableFrom(timeline, shown);
    expect(nameable).toBeGreaterThanOrEqual(shown);
    // At this revision, a name refers to the revision that the player shows.
    expect(nameableFrom(timeline, nameable)).toBe(nameable);
    const { version } = heldRevision(timeline, nameable, (id) => id);
    const naming = row(
      {
        version: timeline.version + 1,
        actorId: "Ana",
        type: "version.named",
        toPhase: "named",
        subject: { kind: "version", id: "v" },
        body: { at: version, name: "As sent" },
      },
      start + 60_000,
    );
    expect(namedVersions(openTimeline([...rows, naming]))).toMatchObject([{ revision: nameable }]);
  }
});

it("[ACT-8] says which edit a name would stand for", () => {
  const timeline = openTimeline(history(1, 4));
  expect(heldRevision(timeline, 3, (id) => id)).toMatchObject({ version: 3, edit: "edit 4" });
});
