import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { bounds, deepestText, longestLanguage, textSchemas } from "@/events/content/text-schema";
import { row } from "@/events/history/timeline/rows.fixture";
import { encodeEdits, PayloadError } from "./payload/payload";
import { readUpdate } from "./updates/yjs-update";
import { UpdateError } from "./updates/yjs-update";
import { accept, noBindings } from "./validation/validation";
import { nowhere } from "@/events/content/nowhere.fixture";

const attributeTakes = (name: string, attribute: string, value: unknown) =>
  textSchemas.get(1)?.nodes.get(name)?.attributes.get(attribute)?.(value);

describe("a reader at its limits", () => {
  it.each([
    ["codeBlock", "language", longestLanguage, (size: number) => "a".repeat(size)],
    ["tableCell", "colspan", bounds.span[1], (size: number) => size],
    ["tableHeader", "rowspan", bounds.span[1], (size: number) => size],
    ["heading", "level", bounds.level[1], (size: number) => size],
  ] as const)("[LIMIT-7] %s: its %s is at most %i", (name, attribute, most, value) => {
    const taken = [-1, 0, 1].map((more) => attributeTakes(name, attribute, value(most + more)));
    expect(taken).toEqual([true, true, false]);
  });

  it("[LIMIT-7] accepts text at the greatest depth, and rejects deeper text", () => {
    const left = (depth: number) => {
      const doc = new Y.Doc();
      doc.clientID = 5;
      const block = (name: string, inner: Y.XmlElement | Y.XmlText) => {
        const made = new Y.XmlElement(name);
        made.insert(0, [inner]);
        return made;
      };
      let inner = block("paragraph", new Y.XmlText("deep"));
      for (let at = 2; at < depth; at += 1) inner = block("blockquote", inner);
      const updates: Uint8Array[] = [];
      doc.on("update", (update: Uint8Array) => updates.push(update));
      doc.getXmlFragment("default").insert(0, [inner]);
      const update = encodeEdits(updates.map((one) => ({ update: one, time: 0 })));
      return accept(
        row({ version: 2, actorId: "Ana", clientIds: [5], update }, 0),
        noBindings(nowhere),
      ).anomalies.length;
    };
    expect([-1, 0, 1].map((more) => left(deepestText + more))).toEqual([0, 0, 1]);
  });

  it("[LIMIT-7] reads an update up to the limit of structs, and refuses one beyond", () => {
    const doc = new Y.Doc();
    const paragraphs = Array.from({ length: 10 }, () => new Y.XmlElement("paragraph"));
    doc.getXmlFragment("default").insert(0, paragraphs);
    const update = Y.encodeStateAsUpdate(doc);
    // Each client's block counts as a struct.
    const count = 1 + (readUpdate(update).blocks[0]?.structs.length ?? 0);
    expect([count + 1, count].map((most) => readUpdate(update, most).blocks.length)).toEqual([
      1, 1,
    ]);
    expect(() => readUpdate(update, count - 1)).toThrow(UpdateError);
  });

  it("[LIMIT-7] packs 65 536 edits into an event, and no more", () => {
    const edits = (count: number) =>
      Array.from({ length: count }, () => ({ update: Uint8Array.of(0, 0), time: 0 }));
    expect([65_535, 65_536].map((count) => encodeEdits(edits(count)).length > 0)).toEqual([
      true,
      true,
    ]);
    expect(() => encodeEdits(edits(65_537))).toThrow(PayloadError);
  });
});
