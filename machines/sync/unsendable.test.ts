import { describe, expect, it } from "vitest";
import { crashingOutbox, labelsOf, logText, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";
import type { Access } from "./status/sync-events";

/** Creates the leftovers of a tab that crashed without a network. */
async function leftBehind() {
  const there = world();
  const { outbox, plain, crash } = crashingOutbox();
  const tab = there.backend.tab("ana", "1");
  const ana = there.open(tab, { outbox });
  await there.clock.advance(1_000);
  type(ana, "In the log. ");
  await there.clock.advance(2_000);
  const copy = ana.confirmed();
  tab.setOffline(true);
  type(ana, "On the device. ");
  await there.clock.advance(100);
  crash();
  return { ...there, plain, copy };
}

describe("text written offline that can no longer be sent", () => {
  const lowered: [string, Access, RegExp][] = [
    ["a reader, or in the trash", "read", /no longer edit it.*copy the text/],
    ["removed", "none", /no longer have access.*copy the text/],
  ];
  it.each(lowered)(
    '[OFFLINE-31] is kept and offered to a person who is now %s, and never shown as "Saved"',
    async (_who, access, words) => {
      const { clock, backend, open, plain } = await leftBehind();
      for (const isOffline of [true, false]) {
        const tab = backend.tab("ana", isOffline ? "2" : "3");
        if (isOffline) tab.setOffline(true);
        backend.allow("ana", "viewer");
        const { outbox, crash } = crashingOutbox(plain);
        const page = open(tab, { outbox, access });
        const labels = labelsOf(page);
        await clock.advance(20_000);
        expect(labels).not.toContain("Saved");
        expect(status(page.sync.getSnapshot())).toMatchObject({
          label: "Not saved",
          action: "copy",
          sentence: expect.stringMatching(words),
        });
        expect(page.unsavedText()).toBe("On the device. ");
        crash();
      }
      expect(logText(backend)).toBe("In the log. ");
    },
  );

  it("[OFFLINE-31] is saved once its author may write again", async () => {
    const { clock, backend, open, plain } = await leftBehind();
    backend.allow("ana", "viewer");
    const page = open(backend.tab("ana", "2"), { outbox: plain, access: "read" });
    await clock.advance(5_000);
    backend.allow("ana", "editor");
    page.setAccess("write");
    await clock.until(() => status(page.sync.getSnapshot()).label === "Saved");
    expect(logText(backend)).toBe("In the log. On the device. ");
  });

  it("[OFFLINE-31] is shown on a page that opens without a network, and not as saved", async () => {
    const { clock, backend, open, plain, copy } = await leftBehind();
    const tab = backend.tab("ana", "2");
    tab.setOffline(true);
    const page = open(tab, { outbox: plain, initial: copy });
    const labels = labelsOf(page);
    await clock.advance(20_000);
    expect(textOf(page)).toBe("In the log. On the device. ");
    expect(labels).not.toContain("Saved");
    expect(status(page.sync.getSnapshot()).label).toBe("Offline");
  });
});
