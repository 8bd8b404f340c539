import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import { memoryOutbox } from "@/events/device/outbox";
import type { OutboxRecord } from "@/events/device/outbox";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import { flushOutbox } from "./outbox-flush";

const stream = "00000000-0000-4000-8000-00000000d0c6";

async function world() {
  const clock = new VirtualClock();
  const random = seededRandom(11);
  const backend = new MemoryBackend(clock, random);
  backend.allow("ana", "editor");
  const outbox = memoryOutbox();
  const held = new Set<string>();
  const locks = {
    async hold(name: string) {
      if (held.has(name)) return null;
      held.add(name);
      return () => void held.delete(name);
    },
  };
  const doc = new Y.Doc();
  doc.getXmlFragment("default").insert(0, [new Y.XmlElement("paragraph")]);
  const left: OutboxRecord[] = [
    { kind: "edit", key: "1", update: Y.encodeStateAsUpdate(doc), time: 5 },
  ];
  const box = await outbox.open({ userId: "ana", documentId: stream });
  await box.write({ put: left });
  const flush = (name: string) => {
    const store = backend.tab("ana", name).store();
    return flushOutbox({ userId: "ana", store, outbox, clock, random, schemaVersion: 1, locks });
  };
  const text = () => {
    const confirmed = new ConfirmedDocument(null);
    for (const row of backend.log(stream)) confirmed.integrate(row);
    return confirmed.doc.getXmlFragment("default").toString();
  };
  return { clock, backend, outbox, box, flush, text };
}

describe("the flush of closed tabs' leftovers", () => {
  it("[SYNC-17] sends them once, from one tab, without opening the document", async () => {
    const { clock, backend, outbox, box, flush, text } = await world();
    outbox.crash(box);
    const flushed = Promise.all([flush("1"), flush("2")]);
    await clock.advance(20_000);
    expect(await flushed).toEqual([[], []]);
    expect(text()).toBe("<paragraph></paragraph>");
    expect(backend.log(stream)).toHaveLength(1);
    expect(await outbox.documents("ana")).toEqual([]);
  });

  it("[SYNC-17] leaves the edits of a living tab alone", async () => {
    const { clock, backend, outbox, flush } = await world();
    const flushed = flush("1");
    await clock.advance(20_000);
    expect(await flushed).toEqual([]);
    expect(backend.log(stream)).toEqual([]);
    expect(await outbox.documents("ana")).toEqual([stream]);
  });

  it("[SYNC-17] reports refused leftovers, and keeps them for the document", async () => {
    const { clock, backend, outbox, box, flush, text } = await world();
    outbox.crash(box);
    backend.allow("ana", "viewer");
    const flushed = flush("1");
    await clock.advance(80_000);
    expect(await flushed).toEqual([stream]);
    expect(await outbox.documents("ana")).toEqual([stream]);
    backend.allow("ana", "editor");
    const again = flush("2");
    await clock.advance(20_000);
    expect(await again).toEqual([]);
    expect(text()).toBe("<paragraph></paragraph>");
  });

  it("[SYNC-17] sends what it can read, and reports and keeps damaged records", async () => {
    const { clock, outbox, box, flush, text } = await world();
    const damaged: OutboxRecord = {
      kind: "edit",
      key: "0",
      update: new Uint8Array([255, 255]),
      time: 4,
    };
    const later: OutboxRecord = {
      kind: "event",
      key: "2",
      proposal: {
        id: "later",
        type: "document.edited",
        body: {},
        update: new Uint8Array([0, 0, 0x7f, 1]),
      },
      edits: 1,
    };
    const support: OutboxRecord = { kind: "support", key: "3", update: new Uint8Array([255, 255]) };
    await box.write({ put: [damaged, later, support] });
    outbox.crash(box);
    const flushed = flush("1");
    await clock.advance(20_000);
    expect(await flushed).toEqual([stream]);
    expect(text()).toBe("<paragraph></paragraph>");
    const next = await outbox.open({ userId: "ana", documentId: stream });
    expect((await next.takeOverLeftovers()).map(({ key }) => key)).toEqual(["0", "2", "3"]);
  });
});
