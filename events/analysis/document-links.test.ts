import { updateYFragment } from "@tiptap/y-tiptap";
import type { Node } from "@tiptap/pm/model";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { documentSchema } from "@/events/content/schema";
import { newestSchema } from "@/events/content/text-schema";
import { stream } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { linksOf } from "./document-links";

const budget = "7f3c1f80-5f0e-4a53-9d7b-2f5f0c8f6f01";
const began = Date.UTC(2026, 10, 24);
const link = (document: string) => documentSchema.node("documentLink", { document });
const line = (...parts: (string | Node)[]) =>
  documentSchema.node(
    "paragraph",
    null,
    parts.map((part) => (typeof part === "string" ? documentSchema.text(part) : part)),
  );

/**
 * Creates the history of a text that had these contents in turn, each written by one edit `apart`
 * minutes after the previous one.
 */
function history(apart: number, ...texts: Node[][]) {
  const doc = new Y.Doc({ gc: false });
  doc.clientID = 1;
  const fragment = doc.getXmlFragment("default");
  const updates: { update: Uint8Array; actorId: string; time: number }[] = [];
  doc.on("update", (update: Uint8Array) =>
    updates.push({ update, actorId: "Ana", time: began + updates.length * apart * 60_000 }),
  );
  const meta = { mapping: new Map(), isOMark: new Map() };
  for (const blocks of texts)
    doc.transact(() =>
      updateYFragment(doc, fragment, documentSchema.topNodeType.create(null, blocks), meta),
    );
  const rows = stream(
    "Minutes",
    updates.map((each) => [each]),
  );
  return openTimeline(rows.map((each) => ({ ...each, schema: newestSchema })));
}

const read = (apart: number, ...texts: Node[][]) =>
  linksOf(history(apart, ...texts)).map(({ target, from, until, before, after }) => [
    target,
    from,
    until,
    `${before}[]${after}`,
  ]);

describe("the links of a text", () => {
  it("[LINK-30] carry their sentence, and the revisions between which it stood", () => {
    expect(
      read(
        60,
        [line("We met. The deposits are in ", link(budget), " now. Next.")],
        [line("We met. The sums are in ", link(budget), " now. Next.")],
        [line("We met.")],
      ),
    ).toEqual([
      [budget, 1, 2, "The deposits are in [] now."],
      [budget, 2, 3, "The sums are in [] now."],
    ]);
  });

  it("[LINK-30] carry no half of an emoji where their sentence is cut", () => {
    const emoji = "😀".repeat(100);
    const [[, , , words = ""] = []] = read(60, [line(`a${emoji}a`, link(budget), `${emoji}a`)]);
    expect(String(words)).toContain("😀");
    expect(/\p{Cs}/u.test(String(words))).toBe(false);
  });

  it("[LINK-30] omit the states of a sentence that is still being typed", () => {
    expect(
      read(
        1,
        [line("See ", link(budget))],
        [line("See ", link(budget), " and")],
        [line("See ", link(budget), " and pay.")],
      ),
    ).toEqual([[budget, 1, null, "See [] and pay."]]);
  });

  it("[LINK-30] are found in lists and side by side, without the names of other links", () => {
    const item = documentSchema.node("listItem", null, [line(link(budget), " or ", link(budget))]);
    expect(read(1, [documentSchema.node("bulletList", null, [item])])).toEqual([
      [budget, 1, null, "[] or …"],
      [budget, 1, null, "… or []"],
    ]);
  });

  it("[LINK-30] are omitted if they name no document", () => {
    expect(read(1, [line("See ", documentSchema.node("documentLink"))])).toEqual([]);
  });

  it("[LINK-30] keep only a few words of a long sentence", () => {
    const long = "word ".repeat(200);
    const [[, , , words] = []] = read(1, [line(long, link(budget), ` ${long}`)]);
    expect(String(words).length).toBeLessThan(330);
    expect(words).toMatch(/^…word .*word \[\] word .*word…$/);
  });
});
