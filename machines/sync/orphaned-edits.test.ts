import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { memoryOutbox } from "@/events/device/outbox";
import type { Outbox, OutboxRecord } from "@/events/device/outbox";
import {
  crashingOutbox,
  fromLog,
  logText,
  stream,
  textOf,
  type,
  world,
} from "./live-world.fixture";
import { status } from "./sync-status";

describe("an edit whose dependency is not in the log", () => {
  it("[SYNC-7] is rebased when the author of its dependency goes offline", async () => {
    const { clock, backend, open } = world();
    const anaTab = backend.tab("ana", "1");
    const [ana, ben] = [open(anaTab), open(backend.tab("ben", "1"))];
    await clock.advance(1_000);
    type(ana, "abc");
    await clock.advance(20);
    anaTab.setOffline(true);
    let replaced = 0;
    ben.onReplaced(() => (replaced += 1));
    type(ben, "X", 2);
    await clock.advance(2_000);
    expect(status(ben.sync.getSnapshot()).label).toBe("Saving…");
    expect(backend.log(stream)).toHaveLength(0);
    await clock.advance(6_000);
    expect(replaced).toBe(1);
    expect(logText(backend)).toBe("X");
    expect(textOf(ben)).toBe("X");
    expect(status(ben.sync.getSnapshot()).label).toBe("Saved");
    expect(fromLog(backend).anomalies).toEqual([]);

    anaTab.setOffline(false);
    await clock.advance(15_000);
    for (const text of [textOf(ana), textOf(ben), logText(backend)]) {
      expect([...text].sort().join("")).toBe("Xabc");
      expect(text).toContain("abc");
    }
    expect(textOf(ana)).toBe(logText(backend));
    expect(textOf(ben)).toBe(logText(backend));
  });

  it("[SYNC-7] waits no longer for its dependency after the clock is set back", async () => {
    const { clock, backend, open } = world();
    const anaTab = backend.tab("ana", "1");
    const [ana, ben] = [open(anaTab), open(backend.tab("ben", "1"))];
    await clock.advance(1_000);
    type(ana, "abc");
    await clock.advance(20);
    anaTab.setOffline(true);
    type(ben, "X", 2);
    await clock.advance(2_000);
    clock.set(-3_600_000);
    await clock.advance(6_000);
    expect(logText(backend)).toBe("X");
    expect(textOf(ben)).toBe("X");
    expect(status(ben.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-7] that deletes text takes effect once that text reaches the log", async () => {
    const { clock, backend, open } = world();
    const anaTab = backend.tab("ana", "1");
    const [ana, ben] = [open(anaTab), open(backend.tab("ben", "1"))];
    type(ben, "_");
    await clock.advance(3_000);
    type(ana, "abc");
    await clock.advance(20);
    anaTab.setOffline(true);
    ben.doc.transact(() => {
      const paragraph = ben.fragment.get(0);
      const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
      if (textblock instanceof Y.XmlText) textblock.delete(textblock.toString().indexOf("b"), 1);
    });
    await clock.advance(10_000);
    expect(logText(backend)).toBe("_");
    anaTab.setOffline(false);
    await clock.advance(15_000);
    expect([...logText(backend)].sort().join("")).toBe("_ac");
    expect(textOf(ana)).toBe(logText(backend));
    expect(textOf(ben)).toBe(logText(backend));
  });

  it("[SYNC-16] is kept and shown as not saved, and sent once its dependency appears", async () => {
    const { clock, backend, open } = world();
    const { outbox, plain, crash } = crashingOutbox();
    const anaTab = backend.tab("ana", "1");
    const ana = open(anaTab);
    const ben = open(backend.tab("ben", "1"), { outbox });
    await clock.advance(1_000);
    type(ana, "abc");
    await clock.advance(20);
    anaTab.setOffline(true);
    type(ben, "X", 2);
    await clock.advance(20);
    crash();
    ben.sync.stop();

    // The device has lost the edit's dependency.
    const forgetful: Outbox = {
      ...plain,
      open: async (scope) => {
        const opened = await plain.open(scope);
        return {
          ...opened,
          takeOverLeftovers: async () =>
            (await opened.takeOverLeftovers()).filter(({ kind }) => kind !== "support"),
        };
      },
    };
    const again = open(backend.tab("ben", "2"), { outbox: forgetful });
    await clock.advance(15_000);
    const shown = status(again.sync.getSnapshot());
    expect(shown).toMatchObject({ label: "Not saved", action: "copy" });
    expect(again.unsavedText()).toBe("X");
    expect(backend.log(stream)).toHaveLength(0);
    type(again, "more");
    await clock.advance(3_000);
    expect(logText(backend)).toBe("more");
    expect(status(again.sync.getSnapshot()).label).toBe("Not saved");

    anaTab.setOffline(false);
    await clock.advance(30_000);
    expect([...logText(backend)].sort().join("")).toBe([..."abcXmore"].sort().join(""));
    expect(logText(backend)).toContain("abXc");
    for (const live of [ana, again]) expect(textOf(live)).toBe(logText(backend));
    expect(status(again.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-16] is removed from the device once it is forgotten", async () => {
    const { clock, backend, open } = world();
    const other = new Y.Doc();
    other.getText("t").insert(0, "lost");
    const stateVector = Y.encodeStateVector(other);
    other.clientID = 77;
    other.getText("t").insert(2, "mine");
    const update = Y.encodeStateAsUpdate(other, stateVector);
    const left: OutboxRecord[] = [{ kind: "edit", key: "1", update, time: 0 }];
    const outbox = memoryOutbox();
    const crashed = await outbox.open({ userId: "ana", documentId: stream });
    await crashed.write({ put: left });
    outbox.crash(crashed);
    const ana = open(backend.tab("ana", "1"), { outbox });
    await clock.advance(15_000);
    expect(ana.unsavedText()).toBe("mine");
    ana.forgetOrphaned();
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
    expect(backend.log(stream)).toHaveLength(0);
    await ana.close();
    const next = await outbox.open({ userId: "ana", documentId: stream });
    expect(await next.takeOverLeftovers()).toEqual([]);
  });
});
