import { expect, it } from "vitest";
import { type, world } from "@/machines/sync/live-world.fixture";
import { factsOf } from "./sync-facts";

it("lists every part of a report, the newest failure first", async () => {
  const { clock, backend, open } = world();
  const ana = open(backend.tab("ana", "1"));
  await clock.advance(1_000);
  backend.allow("ana", "viewer");
  type(ana, "kept");
  await clock.advance(2_000);
  ana.sync.send({ type: "retry" });
  await clock.advance(1_000);
  const report = ana.debug();
  const parts = new Map(factsOf(report).map(({ heading, facts }) => [heading, facts]));
  expect(parts.get("Machine states")).toContainEqual({ name: "outbox", value: "refused" });
  expect(parts.get("Unsent edits")).toContainEqual({ name: "batches: edits", value: "1" });
  expect(parts.get("Confirmed")).toContainEqual({ name: "in doubt", value: "no" });
  expect(parts.get("Page")).toContainEqual({ name: "rebuilt for", value: "none" });
  const [first, second] = report.failures;
  const [newest, before] = parts.get("Last failures") ?? [];
  expect(newest?.name).toContain(second?.at.slice(11, 19));
  expect(newest?.value).toContain("not-permitted");
  expect(before?.name).toContain(first?.at.slice(11, 19));
});
