import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { containersOf } from "@/events/crdt/validation/containers";
import { ContentCheck } from "@/events/crdt/validation/content-check";
import { attacks } from "@/events/content/hostile-edits.fixture";
import { hostileHistory } from "@/events/content/hostile-history.fixture";
import { bounds, textSchemas } from "@/events/content/text-schema";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { documentAt } from "@/events/history/timeline/document-text";
import { Recording } from "@/events/history/timeline/recording";
import { row } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import {
  openTimeline,
  TimelineBuilder,
  timelineOf,
} from "@/events/history/timeline/timeline-builder";
import { SegmentBuilder } from "@/events/history/segments/segment";
import { readSegment } from "@/events/history/segments/segment-reader";
import { readUpdate } from "@/events/crdt/updates/yjs-update";
import { inspectContent } from "./binding/content-guard";
import { documentSchema, schemaVersion } from "@/events/content/schema";
import { staticHtml } from "@/events/content/static-html";

const start = Date.UTC(2026, 10, 14, 15, 42);

function folded(
  rows: readonly TimelineRow[],
  from: ConfirmedDocument | null = null,
): ConfirmedDocument {
  const fold = new ConfirmedDocument(from?.state() ?? null);
  for (const each of rows.slice(fold.version)) fold.integrate(each);
  return fold;
}

function segmentedUpTo(rows: readonly TimelineRow[], cut: number) {
  const segmentBuilder = new SegmentBuilder();
  for (const each of rows.slice(0, cut)) segmentBuilder.add(each);
  const recording = new Recording();
  const segment = segmentBuilder.finish();
  if (segment) readSegment(recording, segment.bytes);
  recording.catchUp();
  const builder = new TimelineBuilder(recording);
  for (const each of rows.slice(cut)) builder.add(each);
  return timelineOf(builder.finish().finish());
}

const textOf = (doc: Y.Doc) => doc.getXmlFragment("default").toString();

function afterAnas(act: (doc: Y.Doc) => void): { rows: TimelineRow[]; before: string } {
  const doc = new Y.Doc();
  doc.clientID = 1;
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText("Open.")]);
  doc.getXmlFragment("default").insert(0, [paragraph]);
  const written = Y.encodeStateAsUpdate(doc);
  const before = textOf(doc);
  const hers = new Y.Doc();
  Y.applyUpdate(hers, written);
  hers.clientID = 666;
  const vector = Y.encodeStateVector(hers);
  hers.transact(() => act(hers));
  const update = (bytes: Uint8Array) => encodeEdits([{ update: bytes, time: start }]);
  const rows = [
    row({ version: 1, actorId: "Ana", clientIds: [1], update: update(written) }, start),
    row(
      {
        version: 2,
        actorId: "Mallory",
        clientIds: [666],
        update: update(Y.encodeStateAsUpdate(hers, vector)),
      },
      start,
    ),
  ];
  return { rows, before };
}

describe("what the schema cannot hold", { timeout: 120_000 }, () => {
  it("[ADMIT-10] is judged by the names, places and bounds of the editor’s schema", () => {
    const schema = textSchemas.get(schemaVersion);
    const { nodes, marks, topNodeType } = documentSchema;
    const childrenOf = (type: typeof topNodeType) => {
      const found = new Set<string>();
      const walk = (
        match: typeof type.contentMatch,
        seen = new Set<typeof type.contentMatch>(),
      ) => {
        if (seen.has(match)) return;
        seen.add(match);
        for (let at = 0; at < match.edgeCount; at += 1) {
          found.add(match.edge(at).type.name);
          walk(match.edge(at).next, seen);
        }
      };
      walk(type.contentMatch);
      return found;
    };
    const elements = Object.values(nodes).filter((type) => type !== topNodeType && !type.isText);
    expect([...(schema?.nodes.keys() ?? [])].sort()).toEqual(
      elements.map(({ name }) => name).sort(),
    );
    expect([...(schema?.marks.keys() ?? [])].sort()).toEqual(Object.keys(marks).sort());
    expect([...(schema?.root ?? [])].sort()).toEqual([...childrenOf(topNodeType)].sort());
    for (const type of elements) {
      const rule = schema?.nodes.get(type.name);
      const children = childrenOf(type);
      const text = !children.delete("text")
        ? "none"
        : type.markSet?.length === 0
          ? "plain"
          : "marked";
      expect([type.name, rule?.text, [...(rule?.children ?? [])].sort()]).toEqual([
        type.name,
        text,
        [...children].sort(),
      ]);
      expect([type.name, [...(rule?.attributes.keys() ?? [])].sort()]).toEqual([
        type.name,
        Object.keys(type.spec.attrs ?? {}).sort(),
      ]);
      for (const [name, { default: value }] of Object.entries(type.spec.attrs ?? {}))
        expect(rule?.attributes.get(name)?.(value)).toBe(true);
    }
    expect(schema?.nodes.get("tableCell")?.attributes.get("colspan")?.(bounds.span[1] + 1)).toBe(
      false,
    );
  });

  it.each(attacks)(
    "[ADMIT-11] leaves the document unchanged, and is flagged: $name",
    ({ act, reason = "unsupported" }) => {
      const { rows, before } = afterAnas(act);
      const fold = folded(rows);
      expect(fold.anomalies).toEqual([{ version: 2, index: 0, actorId: "Mallory", reason }]);
      expect(inspectContent(fold.doc.getXmlFragment("default"))).toBeNull();
      expect(fold.doc.store.pendingStructs).toBeNull();
      expect([...fold.doc.share.keys()]).toEqual(["default"]);
      const text = textOf(fold.doc);
      expect(text).toContain(before.slice(before.indexOf("Open.")));
      expect(text).not.toMatch(/EVIL|glow|javascript|mood|1000000000/);
      const timeline = openTimeline(rows);
      expect(timeline.anomalies).toEqual(fold.anomalies);
      const replayed = new Y.Doc();
      Y.applyUpdate(replayed, timeline.state());
      expect(textOf(replayed)).toBe(text);
    },
  );

  it.each(attacks.filter(({ reason }) => reason === undefined))(
    "[ADMIT-11] keeps honest edits that build on it: $name",
    ({ act }) => {
      const { rows } = afterAnas(act);
      const seen = new Y.Doc();
      for (const { update } of rows)
        for (const edit of decodeEdits(update ?? new Uint8Array(), start))
          Y.applyUpdate(seen, edit.update);
      const fragment = seen.getXmlFragment("default");
      seen.clientID = 2;
      const vector = Y.encodeStateVector(seen);
      seen.transact(() => {
        fragment.delete(1, fragment.length - 1);
        const element = new Y.XmlElement("paragraph");
        element.insert(0, [new Y.XmlText("Cleaned up.")]);
        fragment.push([element]);
      });
      const update = encodeEdits([{ update: Y.encodeStateAsUpdate(seen, vector), time: start }]);
      const fold = folded([
        ...rows,
        row({ version: 3, actorId: "Ben", clientIds: [2], update }, start),
      ]);
      expect(fold.anomalies.map(({ actorId }) => actorId)).toEqual(["Mallory"]);
      expect(textOf(fold.doc)).toMatch(/Open\.<\/paragraph><paragraph>Cleaned up\.<\/paragraph>$/);
    },
  );

  it("[ADMIT-12] is rejected by every reader alike, even if built upon", () => {
    let anomalies = 0;
    let honest = 0;
    for (let seed = 1; seed <= cases(60); seed += 1) {
      const rows = hostileHistory(seed, 30);
      const whole = folded(rows);
      const expected = textOf(whole.doc);
      const html = staticHtml(whole.doc.getXmlFragment("default"));
      anomalies += whole.anomalies.length;
      honest += rows.filter(({ actorId }) => actorId !== "Mallory").length;
      expect(
        whole.anomalies.filter(({ actorId }) => actorId !== "Mallory"),
        `seed ${seed}`,
      ).toEqual([]);
      expect(inspectContent(whole.doc.getXmlFragment("default")), `seed ${seed}`).toBeNull();
      const cut = 1 + ((seed * 7) % (rows.length - 1));
      const early = folded(rows.slice(0, cut));
      const late = folded(rows, early);
      expect([textOf(late.doc), late.anomalies], `seed ${seed}, snapshot at ${cut}`).toEqual([
        expected,
        whole.anomalies.slice(early.anomalies.length),
      ]);
      expect(staticHtml(late.doc.getXmlFragment("default"))).toBe(html);
      const timeline = openTimeline(rows);
      expect(timeline.anomalies, `seed ${seed}`).toEqual(whole.anomalies);
      const replayed = new Y.Doc();
      Y.applyUpdate(replayed, timeline.state());
      expect(textOf(replayed), `seed ${seed}, timeline`).toBe(expected);
      const segmented = segmentedUpTo(rows, cut);
      expect(segmented.anomalies, `seed ${seed}, packed at ${cut}`).toEqual(whole.anomalies);
      for (const at of [0, timeline.ofVersion(cut), timeline.length - 1])
        expect(documentAt(segmented.blocks, at)).toEqual(documentAt(timeline.blocks, at));
      expect(
        documentAt(timeline.blocks, timeline.ofVersion(cut)),
        `seed ${seed}, revision`,
      ).toEqual(documentAt(openTimeline(rows.slice(0, cut)).blocks, timeline.ofVersion(cut)));
    }
    expect(anomalies).toBeGreaterThan(cases(200));
    expect(honest).toBeGreaterThan(cases(800));
  });

  it("[ADMIT-13] is not judged by a reader without the schema that the event names", () => {
    const { rows } = afterAnas((doc) =>
      doc.getXmlFragment("default").push([new Y.XmlElement("callout")]),
    );
    const newer = rows.map((each) => ({ ...each, schema: schemaVersion + 1 }));
    const fold = folded(newer);
    expect([fold.anomalies, textOf(fold.doc)]).toEqual([
      [],
      "<paragraph>Open.</paragraph><callout></callout>",
    ]);
  });

  it("[ADMIT-12] is not found again in accepted edits", () => {
    for (let seed = 100; seed < 120; seed += 1) {
      const rows = hostileHistory(seed, 20);
      const fold = new ConfirmedDocument(null);
      for (const each of rows) {
        const before = new Y.Doc();
        Y.applyUpdate(before, Y.encodeStateAsUpdate(fold.doc));
        const { edits } = fold.accept(each);
        const schema = textSchemas.get(1);
        if (!schema) throw new Error("There is no such schema.");
        const check = new ContentCheck(
          schema,
          containersOf(() => before),
          (client) => Y.getState(before.store, client),
        );
        for (const { update } of edits)
          expect(check.check(readUpdate(update))).toEqual(readUpdate(update));
      }
    }
  });
});
