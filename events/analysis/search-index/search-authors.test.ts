import { expect, it } from "vitest";
import { ContentOrigin, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { attributeTexts, copiedTexts } from "@/events/analysis/lineage/lineage";
import { richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { forkOf } from "@/events/revisions/fork";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { searchEntries } from "./search-entries";

const source = "00000000-0000-4000-8000-00000000000a";
const monday = Date.UTC(2026, 10, 9, 9);
const saturday = Date.UTC(2026, 10, 14, 9);
const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
]);

const there = stream(
  "Minutes",
  richEdits([
    { kind: 0, at: 0, size: 0, writer: 0, word: "The heron nests by the river. " },
    { kind: 1, at: 60, size: 0, writer: 1, word: "Ben counted nine. " },
  ]).map(({ client, update }, index) => [
    { update, time: monday + index * 200, actorId: people.get(client) ?? "" },
  ]),
);

function copied(type: string, body = {}) {
  const pieces = forkOf(there, source);
  const created = {
    version: 1,
    actorId: "Carol",
    type: "document.created",
    body: { title: "Copy" },
  };
  const rows = pieces.map((piece, index) =>
    row(
      {
        version: index + 2,
        actorId: "Carol",
        type,
        body: { document: source, version: there.length, ...body },
        ...piece,
      },
      saturday,
    ),
  );
  const timeline = openTimeline([row(created, saturday), ...rows]);
  return { timeline, payloads: pieces.map(({ update }) => update) };
}

const textOf = (timeline: Parameters<typeof searchEntries>[0], contentOrigin?: ContentOrigin) =>
  searchEntries(timeline, contentOrigin ?? contentOriginOf(timeline)).filter(
    ({ kind, class: standing }) => kind === "text" && standing === "n",
  );

it("[SEARCH-18] names every person who typed in a stretch, the largest part first", () => {
  const [entry] = textOf(openTimeline(there));
  expect(entry).toMatchObject({ authorId: "Ana", authors: ["Ana", "Ben"] });
});

it("[SEARCH-18] names the people who typed forked text and their time, not the person who forked it", () => {
  const { timeline, payloads } = copied("document.forked");
  const attributions = attributeTexts(payloads.flatMap(copiedTexts), there);
  const [entry] = textOf(timeline, new ContentOrigin(timeline, attributions));
  expect(entry).toMatchObject({ authorId: "Ana", authors: ["Ana", "Ben"] });
  expect(entry?.writtenAt).toBe(monday);
});

it("[SEARCH-18] names no person if the typist in the source is unknown", () => {
  const { timeline } = copied("document.forked");
  const [entry] = textOf(timeline);
  expect(entry).toMatchObject({ authorId: "Carol", authors: [], writtenAt: saturday });
});
