import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { StoreFault } from "@/events/log/store";
import { stallingTab } from "@/events/backend/stalling-tab.fixture";
import type { LiveDocument } from "../live-document";
import { fromLog, labelsOf, logText, textOf, type, world } from "../live-world.fixture";
import { status } from "../sync-status";

const label = (live: LiveDocument) => status(live.sync.getSnapshot()).label;

/** Ana writes text that her page cannot append, and Ben writes within this text. */
async function meeting() {
  const all = world();
  const { clock, backend, open, random } = all;
  const tabs = { ana: backend.tab("ana", "1"), ben: backend.tab("ben", "1") };
  const [ana, bens] = [stallingTab(tabs.ana, clock, random), stallingTab(tabs.ben, clock, random)];
  const pages = {
    ana: open(tabs.ana, { store: ana.store, channels: ana.channels(), clock: ana.clock }),
    ben: open(tabs.ben, { store: bens.store, channels: bens.channels(), clock: bens.clock }),
  };
  await clock.advance(1_000);
  let replaced = 0;
  pages.ben.onReplaced(() => (replaced += 1));
  const writing = async () => {
    type(pages.ana, "abc");
    await clock.advance(20);
    type(pages.ben, "X", 2);
  };
  return {
    ...all,
    ...pages,
    tabs,
    stalling: { ana, ben: bens },
    writing,
    replaced: () => replaced,
  };
}

describe("an edit that depends on another author's unlogged text", () => {
  it("[SYNC-7] [SYNC-31] waits for a present author whose append takes long", async () => {
    const { clock, backend, ana, ben, stalling, writing, replaced } = await meeting();
    stalling.ana.state.appendDelay = 25_000;
    await writing();
    const labels = labelsOf(ben);
    await clock.advance(24_000);
    expect(label(ben)).toBe("Saving…");
    expect(labels).toEqual([]);
    await clock.advance(10_000);
    expect([logText(backend), textOf(ana), textOf(ben)]).toEqual(["abXc", "abXc", "abXc"]);
    expect(label(ben)).toBe("Saved");
    expect(replaced()).toBe(0);
  });

  it("[SYNC-33] waits also when the author wrote under another client id than the page's", async () => {
    const { clock, backend, ana, ben, stalling, replaced } = await meeting();
    stalling.ana.state.appendDelay = 25_000;
    const pasted = new Y.Doc();
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText("abc")]);
    pasted.getXmlFragment("default").insert(0, [paragraph]);
    Y.applyUpdate(ana.doc, Y.encodeStateAsUpdate(pasted), "import");
    await clock.advance(20);
    type(ben, "X", 2);
    await clock.advance(24_000);
    expect([label(ben), replaced()]).toEqual(["Saving…", 0]);
    await clock.advance(10_000);
    expect([logText(backend), textOf(ana), textOf(ben)]).toEqual(["abXc", "abXc", "abXc"]);
    expect([label(ben), replaced()]).toEqual(["Saved", 0]);
  });

  it("[SYNC-7] waits though its own page stalled or could not read the log", async () => {
    const { clock, backend, ben, stalling, writing, replaced } = await meeting();
    const { read } = stalling.ben.store;
    stalling.ana.state.appendDelay = 40_000;
    await writing();
    await clock.advance(2_000);
    stalling.ben.clock.stall(15_000);
    await clock.advance(15_000);
    stalling.ben.store.read = () =>
      Promise.reject(new StoreFault("the database stands still", 503));
    await clock.advance(20_000);
    stalling.ben.store.read = read;
    await clock.advance(20_000);
    expect(replaced()).toBe(0);
    expect([logText(backend), textOf(ben)]).toEqual(["abXc", "abXc"]);
  });

  it("[SYNC-33] does not wait for a present author who lost the right to write", async () => {
    const { clock, backend, ana, ben, stalling, writing } = await meeting();
    stalling.ana.state.appendDelay = 500;
    await writing();
    backend.allow("ana", "viewer");
    await clock.advance(10_000);
    expect(ben.people.map(({ userId }) => userId)).toContain("ana");
    expect(label(ana)).toBe("Not saved");
    expect(label(ben)).toBe("Saved");
    expect(logText(backend)).toBe("X");
  });

  it(
    "[SYNC-7] waits about a minute for a present author whose appends fail, " +
      "and loses no text of either",
    async () => {
      const { clock, backend, ana, ben, stalling, writing, replaced } = await meeting();
      const { append } = stalling.ana.store;
      stalling.ana.store.append = () => Promise.reject(new StoreFault("no such luck", 503));
      await writing();
      const labels = labelsOf(ben);
      await clock.advance(40_000);
      expect(labels).toEqual([]);
      expect(label(ben)).toBe("Saving…");
      await clock.advance(40_000);
      expect([replaced(), ben.debug().page.rebuiltFor]).toEqual([1, ["author-gone"]]);
      expect(label(ben)).toBe("Saved");
      expect(logText(backend)).toBe("X");
      stalling.ana.store.append = append;
      ana.sync.send({ type: "retry" });
      await clock.advance(15_000);
      expect([...logText(backend)].sort().join("")).toBe("Xabc");
      expect(fromLog(backend).anomalies).toEqual([]);
      expect([textOf(ana), textOf(ben)]).toEqual([logText(backend), logText(backend)]);
    },
  );

  it(
    "[SYNC-7] [SYNC-33] looks for a tab, not for a person: a crashed tab is gone though its " +
      "person has another",
    async () => {
      const { clock, backend, open, ben, stalling, tabs, writing } = await meeting();
      stalling.ana.state.appendDelay = 100_000;
      await writing();
      open(backend.tab("ana", "2"));
      await clock.advance(1_000);
      tabs.ana.setOffline(true);
      await clock.advance(8_000);
      expect(ben.people.map(({ userId }) => userId)).toContain("ana");
      expect(label(ben)).toBe("Saved");
      expect(logText(backend)).toBe("X");
    },
  );
});

describe("a page that may have missed changes", () => {
  it('[SYNC-32] does not say "Saved" after a stall until it has read the log', async () => {
    const { clock, backend, ana, ben, stalling } = await meeting();
    stalling.ana.clock.stall(8_000);
    backend.weather.dropBroadcast = 1;
    type(ben, "Written meanwhile.");
    await clock.advance(7_999);
    const untrue: string[] = [];
    const look = () =>
      label(ana) === "Saved" && textOf(ana) !== logText(backend) && untrue.push(textOf(ana));
    const labels = labelsOf(ana);
    for (let step = 0; step < 100; step += 1) {
      await clock.advance(step === 0 ? 2 : 20);
      look();
    }
    expect(untrue).toEqual([]);
    expect(labels).toEqual(["Saving…", "Saved"]);
    expect(textOf(ana)).toBe("Written meanwhile.");
  });

  it("[SYNC-32] reads the log when it becomes visible again", async () => {
    const { clock, backend, ana, ben } = await meeting();
    backend.weather.dropBroadcast = 1;
    type(ben, "One.");
    await clock.advance(2_000);
    expect([label(ana), textOf(ana)]).toEqual(["Saved", ""]);
    ana.seen();
    expect(label(ana)).toBe("Saving…");
    await clock.advance(500);
    expect([label(ana), textOf(ana)]).toEqual(["Saved", "One."]);
  });

  it("[SYNC-32] reads the log again after its own append took long", async () => {
    const { clock, backend, ana, ben, stalling } = await meeting();
    backend.weather.dropBroadcast = 1;
    stalling.ana.state.appendDelay = 4_000;
    type(ana, "Slow.");
    type(ben, "Quick.");
    await clock.advance(5_500);
    expect(label(ana)).toBe("Saved");
    expect(textOf(ana)).toBe(logText(backend));
    expect(logText(backend)).toContain("Quick.");
  });
});
