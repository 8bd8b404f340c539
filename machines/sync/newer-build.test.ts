import { expect, it } from "vitest";
import * as Y from "yjs";
import { newestSchema as newest } from "@/events/content/text-schema";
import { crashingOutbox, fromLog, stream, world } from "./live-world.fixture";

const newer = newest + 1;

it("[SYNC-64] an older build sends a newer build's leftovers with their schema version", async () => {
  const { clock, backend, open } = world();
  const { outbox, crash } = crashingOutbox();
  const tab = backend.tab("ana", "1");
  tab.setOffline(true);
  const page = open(tab, { outbox, schemaVersion: newer });
  await clock.advance(1_000);
  const block = new Y.XmlElement("callout");
  block.insert(0, [new Y.XmlText("from tomorrow")]);
  page.fragment.insert(0, [block]);
  await clock.advance(10);
  crash();

  const older = open(backend.tab("ana", "2"), { outbox, schemaVersion: newest });
  await clock.advance(60_000);
  expect(backend.log(stream).map(({ schema }) => schema)).toEqual([newer]);
  const confirmed = fromLog(backend);
  expect(confirmed.anomalies).toEqual([]);
  expect(confirmed.doc.getXmlFragment("default").toString()).toContain("from tomorrow");
  expect(older.sync.getSnapshot().context.pending).toBe(0);
});

it("[SYNC-64] leftovers keep their schema version when the older build closes before it sends them", async () => {
  const { clock, backend, open } = world();
  const { outbox, crash } = crashingOutbox();
  const lines = ["1", "2", "3"].map((name) => backend.tab("ana", name));
  for (const tab of lines.slice(0, 2)) tab.setOffline(true);
  const [first, second, third] = lines;
  if (!first || !second || !third) throw new Error("no tabs");
  const page = open(first, { outbox, schemaVersion: newer });
  await clock.advance(1_000);
  page.fragment.insert(0, [new Y.XmlElement("callout")]);
  await clock.advance(10);
  crash();
  const older = open(second, { outbox, schemaVersion: newest });
  await clock.advance(2_000);
  older.fragment.insert(0, [new Y.XmlElement("paragraph")]);
  await clock.advance(10_000);
  crash();
  open(third, { outbox, schemaVersion: newest });
  await clock.advance(60_000);
  expect(new Set(backend.log(stream).map(({ schema }) => schema))).toEqual(new Set([newer]));
  expect(fromLog(backend).anomalies).toEqual([]);
});
