import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { growthOf } from "@/events/core/work-count.fixture";
import { row, stream } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import { sectionsOf } from "@/events/history/timeline/sections";
import { scriptOf } from "@/events/history/timeline/script";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { forkOf } from "@/events/revisions/fork";
import { attributeThrough } from "./ancestry/ancestry";
import { ContentOrigin } from "./lineage/copy-in";
import type { Attribution } from "./lineage/lineage";
import { statisticsOf } from "./statistics";

const source = "00000000-0000-4000-8000-00000000000a";
const proportional = 2.6;

/** Creates a document typed letter by letter, one event each, by `clients` client ids in turn. */
function typed(letters: number, clients = 1, blocks = 1): TimelineRow[] {
  const doc = new Y.Doc();
  const edits: AuthoredEdit[] = [];
  doc.on("update", (update: Uint8Array) =>
    edits.push({ update, time: edits.length * 100, actorId: `A${edits.length % clients}` }),
  );
  const textblocks = Array.from({ length: blocks }, (_, index) => {
    const block = new Y.XmlElement(index % 2 === 0 ? "heading" : "paragraph");
    const textblock = new Y.XmlText();
    block.insert(0, [textblock]);
    doc.getXmlFragment("default").insert(index, [block]);
    return textblock;
  });
  for (let at = 0; at < letters; at += 1) {
    doc.clientID = 100 + (at % clients);
    // Types backwards, so that Yjs does not merge the letters.
    textblocks[at % blocks]?.insert(0, "x");
  }
  return stream(
    "Letters",
    edits.map((edit) => [edit]),
  );
}

const created = row(
  { version: 1, actorId: "Mia", type: "document.created", body: { title: "" } },
  0,
);

/** Creates a document into which others were merged, one event for each. */
function merged(count: number): TimelineRow[] {
  const rows = [created];
  for (let at = 0; at < count; at += 1) {
    const doc = new Y.Doc();
    doc.clientID = 100 + at;
    const block = new Y.XmlElement("paragraph");
    block.insert(0, [new Y.XmlText("word")]);
    doc.getXmlFragment("default").insert(0, [block]);
    const [piece] = forkOf(
      stream("", [[{ update: Y.encodeStateAsUpdate(doc), time: 0, actorId: "Ana" }]]),
      source,
    );
    if (!piece) throw new Error("nothing is carried");
    const version = rows.length + 1;
    const body = { document: source, version: 2 };
    rows.push(row({ version, actorId: "Mia", type: "document.merged", body, ...piece }, version));
  }
  return rows;
}

describe("the work of a query grows linearly", () => {
  it("[UNDERSTAND-21] for the author of a copied letter, among many attributions", async () => {
    const growth = await growthOf((size) => {
      const pieces = forkOf(typed(size), source);
      const rows = [
        created,
        ...pieces.map((piece, index) =>
          row(
            {
              version: index + 2,
              actorId: "Mia",
              type: "document.forked",
              body: { document: source, version: size },
              ...piece,
            },
            1,
          ),
        ),
      ];
      const timeline = openTimeline(rows);
      const attributions = Array.from({ length: size }, (_, index): Attribution => {
        const origin = { actorId: `A${index % 2}`, version: index + 2, source: null };
        return { client: 100, clock: 2 + index, length: 1, origin };
      });
      const contentOrigin = new ContentOrigin(timeline, attributions);
      const { textblocks } = scriptOf(timeline);
      return () => {
        for (const textblock of textblocks)
          for (let offset = 0; offset < textblock.text.length; offset += 1)
            contentOrigin.of(textblock, offset);
      };
    }, 200);
    expect(growth).toBeLessThan(proportional);
  });

  it("[UNDERSTAND-21] for the copy-in of a revision and its writers, among many copy-ins", async () => {
    const growth = await growthOf((size) => {
      const timeline = openTimeline(merged(size));
      return () => {
        const contentOrigin = new ContentOrigin(timeline);
        for (let revision = 0; revision < timeline.length; revision += 1)
          contentOrigin.copyInAt(revision);
        for (const copyIn of contentOrigin.copyIns) contentOrigin.writersOf(copyIn);
      };
    }, 60);
    expect(growth).toBeLessThan(proportional);
  });

  it("[UNDERSTAND-21] for the author of text that was copied twice", async () => {
    const growth = await growthOf((size) => {
      const [first, second] = [source, source.replace("a", "b")];
      const rows = typed(size);
      const between = [
        created,
        ...forkOf(rows, first).map((piece, index) =>
          row(
            {
              version: index + 2,
              actorId: "Mia",
              type: "document.forked",
              body: { document: first, version: rows.length },
              ...piece,
            },
            1,
          ),
        ),
      ];
      const payloads = forkOf(between, second).map(({ update }) => update);
      const read = async (stream: string) => (stream === second ? between : rows);
      return async () => {
        const attributed = await attributeThrough(
          payloads,
          { source: second, upTo: between.length },
          read,
        );
        expect(attributed.filter(({ origin }) => origin?.source === null)).toHaveLength(size);
      };
    }, 150);
    expect(growth).toBeLessThan(proportional);
  });

  it("[UNDERSTAND-21] for the heading above a block", async () => {
    const growth = await growthOf((size) => {
      const timeline = openTimeline(typed(size, 1, size));
      scriptOf(timeline);
      return () => {
        const sectionOf = sectionsOf(timeline);
        for (const block of timeline.blocks.keys()) sectionOf(block, timeline.length - 1);
      };
    }, 60);
    expect(growth).toBeLessThan(proportional);
  });

  it("[UNDERSTAND-21] for the statistics of many authors and entries", async () => {
    const growth = await growthOf((size) => {
      const timeline = openTimeline(typed(size * 4, size));
      scriptOf(timeline);
      return () => statisticsOf(timeline, timeline.length - 1);
    }, 40);
    expect(growth).toBeLessThan(proportional);
  });
});
