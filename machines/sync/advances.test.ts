import { expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { type, world } from "./live-world.fixture";

it("[OFFLINE-4] notifies of every version: those read from the log, and its own", async () => {
  const { clock, backend, open } = world();
  const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "2"))];
  await clock.advance(2_000);
  const heard: number[] = [];
  const read: number[] = [];
  ana.onAdvanced(() => heard.push(ana.version));
  ana.onRows((rows) => read.push(...rows.map(({ version }) => version)));
  type(ana, "Mine. ");
  await clock.advance(5_000);
  const own = ana.version;
  expect(own).toBeGreaterThan(0);
  expect(read).toEqual([]);
  expect(heard.at(-1)).toBe(own);
  type(ben, "Theirs.");
  await clock.advance(5_000);
  expect(ana.version).toBeGreaterThan(own);
  expect(heard.at(-1)).toBe(ana.version);
  expect(read.at(-1)).toBe(ana.version);
  await Promise.all([ana.close(), ben.close()]);
});

it("[OFFLINE-26] holds what the log took after it was closed, for its copy on the device", async () => {
  const { clock, backend, open } = world();
  const ana = open(backend.tab("ana", "1"));
  await clock.advance(2_000);
  type(ana, "Last words");
  const closed = ana.close();
  const left = ana.version;
  await clock.advance(5_000);
  await closed;
  expect(ana.version).toBeGreaterThan(left);
  const text = new ConfirmedDocument(ana.confirmed()).doc.getXmlFragment("default").toString();
  expect(text).toContain("Last words");
  expect(ana.parts()).not.toBeNull();
});
