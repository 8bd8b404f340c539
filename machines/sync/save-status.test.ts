import { describe, expect, it } from "vitest";
import { StoreFault } from "@/events/log/store";
import { labelsOf, logText, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

describe("the save status", () => {
  it("says that the person lost the right to write, and keeps the text", async () => {
    const { clock, backend, open } = world();
    const ana = open(backend.tab("ana", "1"));
    await clock.advance(1_000);
    type(ana, "kept");
    backend.allow("ana", "viewer");
    await clock.advance(2_000);
    const shown = status(ana.sync.getSnapshot());
    expect(shown.label).toBe("Not saved");
    expect(ana.unsavedText()).toBe("kept");
    ana.setAccess("read");
    expect(status(ana.sync.getSnapshot()).sentence).toContain("no longer edit it");
    expect(status(ana.sync.getSnapshot()).action).toBe("copy");
    backend.allow("ana", "editor");
    ana.setAccess("write");
    await clock.advance(3_000);
    expect(logText(backend)).toBe("kept");
  });

  it("[SYNC-15] names the delay for readers while more people write, and no longer", async () => {
    const { clock, backend, open } = world();
    const limits = { messageLimit: 100 };
    const people = ["1", "2", "3", "4", "5", "6"].map((tab) =>
      open(backend.tab("ana", tab), limits),
    );
    await clock.advance(1_000);
    const [ana] = people;
    const sentence = () => {
      type(ana!, "a");
      return status(ana!.sync.getSnapshot()).sentence;
    };
    expect(sentence()).not.toContain("after about");
    for (const { awareness } of people) awareness.setLocalState({ cursor: 1 });
    await clock.advance(5_000);
    expect(sentence()).toContain("Others see your letters after about 2 s");
    for (const { awareness } of people.slice(1)) awareness.setLocalState(null);
    await clock.advance(5_000);
    expect(sentence()).not.toContain("after about");
  });

  it("asks to sign in when the session ends, and sends what was typed after that", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const ana = open(tab);
    await clock.advance(1_000);
    tab.signedOut = true;
    type(ana, "late");
    await clock.advance(2_000);
    expect(status(ana.sync.getSnapshot()).action).toBe("sign-in");
    type(ana, "r");
    tab.signedOut = false;
    ana.resume();
    await clock.advance(3_000);
    expect(logText(backend)).toBe("later");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("notices by itself that the person has signed in again", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const ana = open(tab);
    await clock.advance(1_000);
    tab.signedOut = true;
    type(ana, "kept");
    await clock.advance(30_000);
    expect(status(ana.sync.getSnapshot()).action).toBe("sign-in");
    tab.signedOut = false;
    await clock.advance(20_000);
    expect(logText(backend)).toBe("kept");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("waits five seconds before it says that it is offline", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const ana = open(tab);
    await clock.advance(1_000);
    tab.setOffline(true);
    await clock.advance(4_000);
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
    await clock.advance(1_500);
    expect(status(ana.sync.getSnapshot()).label).toBe("Offline");
    tab.setOffline(false);
    await clock.advance(15_000);
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it('[SYNC-14] says only "Offline" while its channel seems up and no request is answered', async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const ana = open(tab);
    await clock.advance(1_000);
    const labels = labelsOf(ana);
    tab.offline = true;
    type(ana, "kept");
    await clock.advance(8_000);
    expect(labels).toEqual(["Saving…", "Offline"]);
    await clock.advance(120_000);
    tab.offline = false;
    ana.sync.send({ type: "online" });
    await clock.advance(1_000);
    expect(labels.slice(2).at(-1)).toBe("Saved");
    expect(labels.filter((label) => label === "Offline")).toHaveLength(1);
    expect(logText(backend)).toBe("kept");
  });

  it("[SYNC-14] is offline after an offline event only if the server cannot be reached", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const ana = open(tab);
    await clock.advance(1_000);
    const labels = labelsOf(ana);
    ana.sync.send({ type: "offline" });
    await clock.advance(20_000);
    expect(labels).toEqual([]);
    tab.offline = true;
    ana.sync.send({ type: "offline" });
    await clock.advance(4_500);
    expect(labels).toEqual([]);
    await clock.advance(1_000);
    expect(labels).toEqual(["Offline"]);
  });

  it('[SYNC-14] says "Not saved" while the server cannot append though it can be read', async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const store = tab.store();
    let down = true;
    const append: typeof store.append = (...call) =>
      down ? Promise.reject(new StoreFault("the database is down", 503)) : store.append(...call);
    const ana = open(tab, { store: { ...store, append } });
    await clock.advance(1_000);
    type(ana, "kept");
    const labels = labelsOf(ana);
    await clock.advance(90_000);
    expect(labels).toEqual(["Not saved"]);
    expect(status(ana.sync.getSnapshot())).toMatchObject({
      action: "retry",
      sentence: expect.stringContaining("kept on this device"),
    });
    expect(ana.unsavedText()).toBe("kept");
    down = false;
    ana.sync.send({ type: "retry" });
    await clock.advance(1_000);
    expect(labels.at(-1)).toBe("Saved");
    expect(logText(backend)).toBe("kept");
  });

  it("[SYNC-44] offers to move text that exceeds the document's limit, and goes on without it", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const store = tab.store();
    let full = true;
    const append: typeof store.append = (...call) =>
      full
        ? Promise.resolve({
            ok: false,
            refusal: { name: "too-large", reason: "document_bytes", detail: "" },
          })
        : store.append(...call);
    const ana = open(tab, { store: { ...store, append } });
    await clock.advance(1_000);
    type(ana, "too much");
    await clock.advance(3_000);
    expect(status(ana.sync.getSnapshot())).toMatchObject({
      label: "Not saved",
      action: "move",
      sentence: expect.stringContaining("largest size"),
    });
    expect(ana.unsavedText()).toBe("too much");
    full = false;
    ana.letGo();
    await clock.advance(1_000);
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
    type(ana, "less");
    await clock.advance(3_000);
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
    expect(logText(backend)).toBe("less");
  });

  it("does not claim that the device keeps text when the browser refuses the outbox", async () => {
    const { clock, backend, open } = world();
    const tab = backend.tab("ana", "1");
    const ana = open(tab, {
      outbox: { open: () => Promise.reject(new DOMException("no storage here", "SecurityError")) },
    });
    await clock.advance(1_000);
    expect(status(ana.sync.getSnapshot()).sentence).toContain("keeps nothing on the device");
    tab.setOffline(true);
    type(ana, "only here");
    await clock.advance(8_000);
    expect(status(ana.sync.getSnapshot()).sentence).toContain("Keep this tab open");
    tab.setOffline(false);
    await clock.advance(20_000);
    expect(logText(backend)).toBe("only here");
  });
});
