import { describe, expect, it } from "vitest";
import { loneSurrogates } from "@/events/core/text/storable-text";
import { fromLog, logText, stream, textOf, type, world } from "../live-world.fixture";
import { status } from "../sync-status";

const half = "\ud83d";
const otherHalf = "\ude00";

async function meeting() {
  const all = world();
  const [ana, ben] = [all.open(all.backend.tab("ana", "1")), all.open(all.backend.tab("ben", "1"))];
  await all.clock.advance(1_000);
  return { ...all, ana, ben };
}

describe("surrogate pairs", () => {
  it.each([
    ["the first half of a letter", `a${half}b`],
    ["the second half of a letter", `a${otherHalf}b`],
    ["both halves in the wrong order", `a${otherHalf}${half}b`],
    ["a half at the end", `ab${half}`],
  ])("[SYNC-6] are the same on each page and in the log after typing %s", async (_name, words) => {
    const { clock, backend, open, ana, ben } = await meeting();
    type(ana, words);
    await clock.advance(5_000);
    type(ben, " and on");
    await clock.advance(5_000);
    const later = open(backend.tab("carol", "1"));
    await clock.advance(2_000);
    const text = logText(backend);
    expect(text).toHaveLength(words.length + 7);
    expect([textOf(ana), textOf(ben), textOf(later)]).toEqual([text, text, text]);
    for (const live of [ana, ben]) expect(status(live.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-6] lose nothing when two people write between the halves of one pair", async () => {
    const { clock, backend, ana, ben } = await meeting();
    type(ana, "😀");
    await clock.advance(5_000);
    type(ana, "a", 1);
    type(ben, "b", 1);
    await clock.advance(10_000);
    const text = logText(backend);
    expect([textOf(ana), textOf(ben)]).toEqual([text, text]);
    expect(text).toContain("a");
    expect(text).toContain("b");
    expect(fromLog(backend).anomalies).toEqual([]);
    for (const live of [ana, ben]) expect(status(live.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-6] [SYNC-45] reach the log and others whole, by the hundred thousand", async () => {
    const { clock, backend, ana, ben } = await meeting();
    const parts = process.env.SOAK ? 10 : 2;
    const emoji = "😀".repeat(100_000);
    for (let part = 0; part < parts; part += 1) {
      type(ana, emoji, 0);
      await clock.advance(2_000);
    }
    await clock.until(() => status(ana.sync.getSnapshot()).label === "Saved", 600_000);
    await clock.advance(10_000);
    const text = logText(backend);
    expect(text.length).toBe(parts * 200_000);
    expect(loneSurrogates.test(text)).toBe(false);
    expect(textOf(ben) === text && textOf(ana) === text).toBe(true);
    expect(backend.log(stream).every(({ update }) => (update?.length ?? 0) <= 512 * 1024)).toBe(
      true,
    );
  });
});
