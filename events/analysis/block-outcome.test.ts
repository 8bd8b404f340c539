import { updateYFragment } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { blockKeyInHash, hashOfBlock } from "@/events/core/ids/block-key";
import { documentSchema } from "@/events/content/schema";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { outcomeOfBlock } from "./block-outcome";

const paragraph = (text: string) =>
  documentSchema.node("paragraph", null, text === "" ? [] : [documentSchema.text(text)]);
const heading = (text: string) =>
  documentSchema.node("heading", { level: 2 }, [documentSchema.text(text)]);
const began = Date.UTC(2026, 10, 14);

/**
 * Creates the history of a text that had these contents in turn, each written by one edit. Ben
 * writes the second.
 */
function history(...texts: Node[][]) {
  const doc = new Y.Doc({ gc: false });
  const fragment = doc.getXmlFragment("default");
  const updates: { update: Uint8Array; actorId: string; time: number }[] = [];
  const keys: string[][] = [];
  doc.on("update", (update: Uint8Array) =>
    updates.push({
      update,
      actorId: updates.length === 1 ? "Ben" : "Ana",
      time: began + updates.length * 60_000,
    }),
  );
  for (const [index, blocks] of texts.entries()) {
    doc.clientID = index === 1 ? 2 : 1;
    const meta = { mapping: new Map(), isOMark: new Map() };
    doc.transact(() =>
      updateYFragment(doc, fragment, documentSchema.topNodeType.create(null, blocks), meta),
    );
    keys.push(
      fragment.toArray().map((each) => {
        const id = each instanceof Y.XmlElement ? each._item?.id : null;
        return id ? (blockKeyInHash(hashOfBlock(id.client, id.clock)) ?? "") : "";
      }),
    );
  }
  return {
    timeline: openTimeline(
      stream(
        "Minutes",
        updates.map((each) => [each]),
      ),
    ),
    keys,
  };
}

describe("the outcome of a block", () => {
  it("[LINK-1] keeps the key of a block that stands", () => {
    const { timeline, keys } = history(
      [paragraph("one"), paragraph("two")],
      [paragraph("zero"), paragraph("one"), paragraph("two and more")],
    );
    const key = keys[0]?.[1] ?? "";
    expect(outcomeOfBlock(timeline, key)).toEqual({ kind: "stands", key });
  });

  it("[LINK-2] names the person who deleted the block, and the last revision that has it", () => {
    const { timeline, keys } = history(
      [paragraph("one"), paragraph("two")],
      [paragraph("one")],
      [paragraph("one more")],
    );
    const outcome = outcomeOfBlock(timeline, keys[0]?.[1] ?? "");
    expect(outcome).toEqual({ kind: "deleted", revision: 1, actorId: "Ben", time: began + 60_000 });
  });

  it("[LINK-2] is the last revision with words, if they were deleted before the block", () => {
    const { timeline, keys } = history(
      [paragraph("one"), paragraph("two")],
      [paragraph("one"), paragraph("")],
      [paragraph("one more"), paragraph("")],
      [paragraph("one more")],
    );
    const outcome = outcomeOfBlock(timeline, keys[0]?.[1] ?? "");
    const time = began + 3 * 60_000;
    expect(outcome).toEqual({ kind: "deleted", revision: 1, actorId: "Ana", time });
  });

  it("[LINK-2] follows a block that was converted, deleted and brought back", () => {
    const { timeline, keys } = history(
      [paragraph("one"), paragraph("two")],
      [paragraph("one"), heading("two")],
      [paragraph("one")],
      [paragraph("one"), paragraph("two")],
    );
    const [first = ""] = keys[0]?.slice(1) ?? [];
    expect(keys[1]).not.toContain(first);
    expect(outcomeOfBlock(timeline, first)).toEqual({ kind: "stands", key: keys[3]?.[1] });
  });

  it("[LINK-2] does not take another empty block for the deleted one", () => {
    const { timeline, keys } = history(
      [paragraph("one"), heading("two"), paragraph("")],
      [paragraph("one")],
      [paragraph("one"), heading("three"), paragraph("")],
    );
    expect(outcomeOfBlock(timeline, keys[0]?.[2] ?? "").kind).toBe("deleted");
  });

  it("[LINK-3] is unknown for a key that no block has", () => {
    const { timeline } = history([paragraph("one")]);
    expect(outcomeOfBlock(timeline, "7:7")).toEqual({ kind: "unknown" });
  });
});
