import { expect, it } from "vitest";
import { stream, type, world } from "./live-world.fixture";

/** Returns every string and number in a value, at any depth. */
function leaves(value: unknown): string[] {
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(leaves)
    : [String(value)];
}

it("reports the state of a saved document", async () => {
  const { clock, backend, open } = world();
  const ana = open(backend.tab("ana", "1"));
  await clock.advance(1_000);
  type(ana, "saved");
  await clock.advance(3_000);
  expect(ana.debug()).toMatchObject({
    documentId: stream,
    status: "Saved",
    machine: { link: "live", contact: "made", outbox: "empty", storage: "device", access: "write" },
    confirmed: { version: ana.version, inDoubt: false, acknowledgedUnread: false },
    unsent: { pending: { edits: 0, bytes: 0 }, batches: { events: 0, edits: 0, bytes: 0 } },
    channel: { state: "joined", epoch: expect.stringMatching(/^\d+$/), people: 1, tabs: 1 },
    device: { storesOutbox: true, complete: true, records: 0 },
    failures: [],
  });
});

it("counts unsent edits and names failures while the server is out of reach", async () => {
  const { clock, backend, open } = world();
  const tab = backend.tab("ana", "1");
  const ana = open(tab);
  await clock.advance(1_000);
  tab.setOffline(true);
  type(ana, "one");
  type(ana, "two");
  await clock.advance(3_000);
  const report = ana.debug();
  const { pending, batches } = report.unsent;
  expect(pending.edits + batches.edits).toBe(2);
  expect(pending.bytes + batches.bytes).toBeGreaterThan(0);
  expect(report.device.records).toBeGreaterThan(0);
  expect(report.machine.link).toMatch(/^offline\./);
  expect(report.failures).toContainEqual(
    expect.objectContaining({ call: "send", name: "StoreFault", status: 0 }),
  );
});

it("names the last ten refusals of the log", async () => {
  const { clock, backend, open } = world();
  const ana = open(backend.tab("ana", "1"));
  await clock.advance(1_000);
  backend.allow("ana", "viewer");
  type(ana, "kept");
  await clock.advance(2_000);
  expect(ana.debug().failures).toEqual([
    expect.objectContaining({ call: "send", name: "not-permitted" }),
  ]);
  for (let attempt = 0; attempt < 12; attempt += 1) {
    ana.sync.send({ type: "retry" });
    await clock.advance(1_000);
  }
  expect(ana.debug().failures).toHaveLength(10);
});

it("contains no written text and no names", async () => {
  const { clock, backend, open } = world();
  const tab = backend.tab("ana", "1");
  const ana = open(tab);
  const ben = open(backend.tab("ben", "2"));
  await clock.advance(1_000);
  type(ana, "marmalade");
  type(ben, "xylophone");
  await clock.advance(2_000);
  tab.setOffline(true);
  type(ana, "quicksand");
  await clock.advance(1_000);
  const report = ana.debug();
  expect(report.unsent.pending.edits + report.unsent.batches.edits).toBe(1);
  for (const leaf of leaves(report)) {
    expect(leaf).not.toMatch(/marmalade|xylophone|quicksand|\bana\b|\bben\b/i);
    // Long enough for an id or a sentence of the database, but too short for an encoded update.
    expect(leaf.length).toBeLessThanOrEqual(80);
  }
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
});
