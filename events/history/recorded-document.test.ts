import fc from "fast-check";
import { expect, it } from "vitest";
import * as Y from "yjs";
import { cases } from "@/events/core/cases.fixture";
import { disableFormattingCleanup } from "@/events/crdt/updates/formatting-marks";
import { never } from "@/events/crdt/updates/lifespans";
import { anyGesture, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { stream } from "@/events/history/timeline/rows.fixture";
import { TimelineBuilder } from "@/events/history/timeline/timeline-builder";
import { RecordedDocument } from "./recorded-document";

type AnyType = Y.ContentType["type"];

/**
 * Returns every clock that a document ever held, list by list, with its content and whether it is
 * deleted.
 */
function everything(type: AnyType): unknown[] {
  const ticks: unknown[] = [];
  const values = (item: Y.Item) => {
    const held = item.content instanceof Y.ContentType ? item.content.type : null;
    const contents = item.content.getContent();
    for (let offset = 0; offset < item.length; offset += 1)
      ticks.push([
        item.id.client,
        item.id.clock + offset,
        item.deleted,
        held
          ? [held instanceof Y.XmlElement ? held.nodeName : "", everything(held)]
          : item.content instanceof Y.ContentFormat
            ? [item.content.key, item.content.value]
            : contents[offset],
      ]);
  };
  for (let item = type._start; item; item = item.right) values(item);
  for (const key of [...type._map.keys()].sort())
    for (let item = type._map.get(key) ?? null; item; item = item.left) values(item);
  return ticks;
}

/** Yields every item of a document, at any depth. */
function* itemsIn(type: AnyType): Generator<Y.Item> {
  const firsts = [type._start, ...type._map.values()];
  for (const first of firsts) {
    // An attribute's earlier values are to the left of the newest value, where the walk begins.
    for (let item = first; item; item = first === type._start ? item.right : item.left) {
      yield item;
      if (item.content instanceof Y.ContentType) yield* itemsIn(item.content.type);
    }
  }
}

/** Returns the lives of an item's ancestors. */
function livesAround(record: RecordedDocument, item: Y.Item) {
  const lives = [];
  const holderOf = ({ parent }: Y.Item) => (parent instanceof Y.AbstractType ? parent._item : null);
  for (let holder = holderOf(item); holder; holder = holderOf(holder))
    lives.push(record.lifeOf(holder.id.client, holder.id.clock));
  return lives;
}

/**
 * Applies edits one by one in Yjs. Returns the document, and when each clock was inserted and
 * deleted.
 */
function applied(edits: readonly { update: Uint8Array }[]) {
  const doc = new Y.Doc({ gc: false });
  disableFormattingCleanup(doc);
  const lives = new Map<string, { born: number; died: number }>();
  // The document's creation is the first revision.
  let revision = 0;
  doc.on("afterTransaction", ({ afterState, beforeState, deleteSet }: Y.Transaction) => {
    for (const [client, end] of afterState)
      for (let clock = beforeState.get(client) ?? 0; clock < end; clock += 1)
        lives.set(`${client}:${clock}`, { born: revision, died: never });
    for (const [client, ranges] of deleteSet.clients)
      for (const { clock, len } of ranges)
        for (let at = clock; at < clock + len; at += 1) {
          const life = lives.get(`${client}:${at}`);
          if (life?.died === never) life.died = revision;
        }
  });
  for (const { update } of edits) {
    revision += 1;
    Y.applyUpdate(doc, update);
  }
  return { doc, lives };
}

it("[ACT-1] holds all text that was ever written, with the revisions at which it came and went, as Yjs does", () => {
  let goneWithTheirBlock = 0;
  fc.assert(
    fc.property(
      fc.array(anyGesture, { minLength: 6, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (gestures, apart) => {
        const edits = richEdits(gestures, apart);
        const builder = new TimelineBuilder();
        for (const row of stream(
          "Minutes",
          edits.map(({ client, update }, at) => [
            { update, time: at * 100, actorId: String(client) },
          ]),
        ))
          builder.add(row);
        const record = new RecordedDocument(builder.finish());
        const { doc, lives } = applied(edits);
        expect(everything(record.fragment)).toEqual(everything(doc.getXmlFragment("default")));
        for (const item of itemsIn(doc.getXmlFragment("default"))) {
          const { client } = item.id;
          for (let clock = item.id.clock; clock < item.id.clock + item.length; clock += 1) {
            const life = record.lifeOf(client, clock);
            const { born, died } = lives.get(`${client}:${clock}`) ?? { born: -1, died: -1 };
            expect([life.born, life.died === never]).toEqual([born, !item.deleted]);
            // The unit stood until it or an ancestor was deleted. If that was before `born`, it
            // never stood.
            const deaths = [life, ...livesAround(record, item)].map((each) => each.died);
            expect(Math.max(born, Math.min(...deaths))).toBe(died);
            if (life.died < born) goneWithTheirBlock += 1;
          }
        }
      },
    ),
    { numRuns: cases(200) },
  );
  expect(goneWithTheirBlock).toBeGreaterThan(0);
});
