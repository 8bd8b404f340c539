import { describe, expect, it } from "vitest";
import type { Appended } from "@/events/log/store";
import { fromLog, labelsOf, logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

/**
 * Ana and Ben have each written a line. A backup was made after Ana's first words, and both have
 * continued since.
 */
async function written() {
  const all = world();
  const { clock, backend, open } = all;
  const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
  await clock.advance(1_000);
  type(ana, "Kept. ");
  await clock.advance(2_000);
  const backup = backend.log(stream).length;
  return { ...all, ana, ben, backup };
}

describe("an older backup restored under open pages", () => {
  it("[SYNC-19] makes this tab resend what it has written since, in its place", async () => {
    const { clock, backend, ana, ben, backup } = await written();
    type(ana, "Lost. ");
    await clock.advance(2_000);
    const [, before] = backend.log(stream);
    expect(backend.log(stream).length).toBeGreaterThan(backup);
    const labels = labelsOf(ana);
    backend.putBack(stream, backup);
    await clock.advance(20_000);
    expect([logText(backend), textOf(ana), textOf(ben)]).toEqual([
      "Kept. Lost. ",
      "Kept. Lost. ",
      "Kept. Lost. ",
    ]);
    expect(backend.log(stream)[1]?.id).not.toBe(before?.id);
    expect(labels).toEqual(expect.arrayContaining(["Saving…"]));
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
    expect([ana.logRollbacks, ana.rolledBackText()]).toEqual([1, ""]);
    expect([ben.logRollbacks, ben.rolledBackText()]).toEqual([1, ""]);
  });

  it('[SYNC-19] shows no "Saved" for an edit recorded at a version that this tab has passed', async () => {
    const { clock, backend, open, backup } = await written();
    const answers: Appended[] = [];
    const tab = backend.tab("carol", "1");
    const store = tab.store();
    const carol = open(tab, {
      store: {
        ...store,
        append: async (...call) => {
          const answer = await store.append(...call);
          answers.push(answer);
          return answer;
        },
      },
    });
    await clock.advance(1_000);
    type(carol, "One. ");
    await clock.advance(2_000);
    type(carol, "Two. ");
    await clock.advance(2_000);
    const [stood, behind] = [carol.version, answers.length];
    type(carol, "Three.");
    const untrue: string[] = [];
    const stop = carol.sync.subscribe((snapshot) => {
      if (status(snapshot).label === "Saved" && !logText(backend).includes("One. Two. Three."))
        untrue.push(logText(backend));
    });
    backend.putBack(stream, backup);
    await clock.advance(20_000);
    stop.unsubscribe();
    const next = answers[behind];
    expect(next?.ok && (next.rulings[0]?.version ?? 0)).toBeLessThanOrEqual(stood);
    expect(logText(backend)).toContain("One. Two. Three.");
    expect(textOf(carol)).toBe(logText(backend));
    expect(untrue).toEqual([]);
    expect(status(carol.sync.getSnapshot()).label).toBe("Saved");
  });

  it(
    "[SYNC-19] makes a tab rebase edits on text of a person who left, and offer " +
      "that text for copying",
    async () => {
      const { clock, backend, ana, ben, backup } = await written();
      type(ben, "From Ben. ");
      await clock.advance(2_000);
      await ben.close();
      type(ana, "By Ana.", 10);
      await clock.advance(2_000);
      expect(logText(backend)).toBe("Kept. FromBy Ana. Ben. ");
      type(ana, "And on. ", 10);
      backend.putBack(stream, backup);
      await clock.advance(30_000);
      expect(fromLog(backend).anomalies).toEqual([]);
      expect(logText(backend)).toBe("Kept. And on. By Ana.");
      expect(textOf(ana)).toBe("Kept. And on. By Ana.");
      expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
      expect(ana.rolledBackText()).toBe("From Ben. ");
    },
  );

  it("[SYNC-19] shows readers the text of the log, also once it has grown past their version", async () => {
    const { clock, backend, open, ana, backup } = await written();
    type(ana, "Lost.");
    await clock.advance(2_000);
    await ana.close();
    const tab = backend.tab("carol", "1");
    const carol = open(tab, { access: "read" });
    await clock.advance(1_000);
    expect(textOf(carol)).toBe("Kept. Lost.");
    tab.setOffline(true);
    backend.putBack(stream, backup);
    const ben = open(backend.tab("ben", "2"));
    await clock.advance(1_000);
    for (const word of ["a", "b", "c", "d", "e"]) {
      type(ben, word);
      await clock.advance(2_000);
    }
    expect(ben.version).toBeGreaterThan(carol.version);
    tab.setOffline(false);
    await clock.advance(20_000);
    expect(textOf(carol)).toBe("Kept. abcde");
    expect([carol.version, carol.rolledBackText()]).toEqual([ben.version, "Lost."]);
  });

  it("[SYNC-19] is noticed when others write, while this tab's connection is intact", async () => {
    const { clock, backend, open, ana, backup } = await written();
    type(ana, "Lost.");
    await clock.advance(2_000);
    await ana.close();
    const carol = open(backend.tab("carol", "1"), { access: "read" });
    await clock.advance(1_000);
    backend.putBack(stream, backup, { quietly: true });
    const ben = open(backend.tab("ben", "2"));
    await clock.advance(1_000);
    type(ben, "Found.");
    await clock.advance(4_000);
    expect(textOf(carol)).toBe("Kept. Found.");
  });

  it("[SYNC-19] is noticed by a page that opens on a device copy of the lost log", async () => {
    const { clock, backend, open, ana, ben, backup } = await written();
    type(ana, "Lost.");
    await clock.advance(2_000);
    const initial = ana.confirmed();
    expect(initial.hash).toBe(backend.log(stream).at(-1)?.hash);
    await ana.close();
    await ben.close();
    backend.putBack(stream, backup);
    const later = open(backend.tab("ben", "2"));
    await clock.advance(1_000);
    type(later, "Found. ");
    await clock.advance(2_000);
    expect(backend.log(stream)).toHaveLength(initial.version);
    const again = open(backend.tab("ana", "2"), { initial });
    await clock.advance(2_000);
    expect([textOf(again), again.rolledBackText(), again.logRollbacks]).toEqual([
      "Kept. Found. ",
      "Lost.",
      1,
    ]);
  });

  it("[SYNC-19] is not assumed when a person loses access for a while", async () => {
    const { clock, backend, ana, ben } = await written();
    backend.allow("ben", null);
    await clock.advance(20_000);
    backend.allow("ben", "editor");
    await clock.advance(30_000);
    expect([ana.logRollbacks, ben.logRollbacks, textOf(ben)]).toEqual([0, 0, "Kept. "]);
  });
});
