import { Awareness, encodeAwarenessUpdate } from "y-protocols/awareness";
import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import {
  crashingOutbox,
  forgery,
  fromLog,
  logText,
  stream,
  textOf,
  type,
  world,
} from "./live-world.fixture";
import { status } from "./sync-status";

describe("a channel with forged messages", () => {
  it("[SYNC-8] takes another client id when another person took its own first", async () => {
    const { clock, backend, open } = world();
    const ana = open(backend.tab("ana", "1"));
    await clock.advance(1_000);
    const foreign = new Y.Doc();
    foreign.clientID = ana.doc.clientID;
    foreign.getXmlFragment("default").insert(0, [new Y.XmlElement("heading")]);
    backend.append("ben", stream, [
      {
        id: "evil",
        type: "document.edited",
        body: {},
        update: Y.encodeStateAsUpdate(foreign),
        clientIds: [foreign.clientID],
      },
    ]);
    type(ana, "mine");
    await clock.advance(5_000);
    expect(fromLog(backend).doc.getXmlFragment("default").toString()).toBe(
      "<heading></heading><paragraph>mine</paragraph>",
    );
    expect(fromLog(backend).anomalies).toEqual([]);
    expect(ana.fragment.toString()).toBe(fromLog(backend).doc.getXmlFragment("default").toString());
  });

  it("[SYNC-8] logs its edits however often another person takes its client ids", async () => {
    const { clock, backend, open } = world();
    const ana = open(backend.tab("ana", "1"));
    let taken = 0;
    const take = (id: number) => {
      const evil = new Y.Doc();
      evil.clientID = id;
      evil.getMap("evil").set("a", 1);
      taken += 1;
      backend.append("carol", stream, [
        {
          id: `evil ${taken}`,
          type: "document.edited",
          body: {},
          update: Y.encodeStateAsUpdate(evil),
          clientIds: [id],
        },
      ]);
    };
    const takeLater = () => {
      const id = ana.doc.clientID;
      clock.after(200, () => taken < 20 && take(id));
    };
    ana.onReplaced(takeLater);
    take(ana.doc.clientID);
    await clock.advance(1_000);
    type(ana, "mine");
    await clock.advance(10_000);
    expect(taken).toBeGreaterThan(1);
    expect(logText(backend)).toBe("mine");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-13] returns to the log when a broadcast differs from what its author logged", async () => {
    const { clock, backend, open } = world();
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    await clock.advance(1_000);
    type(ana, ".");
    await clock.advance(3_000);
    const forged = forgery(ana);
    const mallory = backend.tab("carol", "9").channels().subscribe(stream, {});
    await clock.advance(1_000);
    mallory.send("y-supabase-update", {
      update: Buffer.from(forged).toString("base64"),
      user: { id: "x" },
    });
    await clock.advance(50);
    expect(textOf(ben)).toBe(".EVIL");
    expect(textOf(ana)).toBe(".");
    type(ana, "real");
    await clock.advance(40_000);
    expect(logText(backend)).toBe(".real");
    expect(textOf(ana)).toBe(".real");
    expect(textOf(ben)).toBe(".real");
  });

  it.each([
    { when: "before it was sent", forgedAfter: 1_000 },
    { when: "right before it was taken over", forgedAfter: 14_500 },
  ])(
    "[SYNC-13] shows the text of its own earlier tab though it was forged $when",
    async ({ forgedAfter }) => {
      const { clock, backend, open } = world();
      const { outbox, plain, crash } = crashingOutbox();
      const tab = backend.tab("ana", "1");
      const ana = open(tab, { outbox });
      await clock.advance(1_000);
      type(ana, ".");
      await clock.advance(3_000);
      const forged = forgery(ana);
      tab.setOffline(true);
      type(ana, "real");
      const mallory = backend.tab("carol", "9").channels().subscribe(stream, {});
      const again = open(backend.tab("ana", "2"), { outbox: plain });
      await clock.advance(forgedAfter);
      mallory.send("y-supabase-update", { update: Buffer.from(forged).toString("base64") });
      await clock.advance(50);
      expect(textOf(again)).toBe(".EVIL");
      crash();
      await clock.advance(60_000);
      expect(logText(backend)).toBe(".real");
      expect(textOf(again)).toBe(".real");
    },
  );

  it("[SYNC-11] sends only its own messages, and none for a person who may not write", async () => {
    const { clock, backend, open } = world();
    const heard: { event: string; payload: unknown }[] = [];
    backend
      .tab("carol", "9")
      .channels()
      .subscribe(stream, { broadcast: (event, payload) => heard.push({ event, payload }) });
    await clock.advance(1_000);
    const ana = open(backend.tab("ana", "1"));
    const ben = open(backend.tab("ben", "1"), { access: "read" });
    await clock.advance(1_000);
    type(ben, "not mine to write");
    ben.awareness.setLocalState({ cursor: 1 });
    await clock.advance(2_000);
    expect(backend.log(stream)).toHaveLength(0);
    expect(heard.filter(({ event }) => event.endsWith("update"))).toEqual([]);
    ana.awareness.setLocalState({ cursor: 1 });
    type(ana, "a");
    await clock.advance(100);
    expect(new Set(heard.map(({ event }) => event))).toEqual(
      new Set(["y-supabase-update", "y-supabase-awareness"]),
    );
    expect(ben.awareness.getStates().get(ana.doc.clientID)).toEqual({ cursor: 1 });
    expect(ana.awareness.getStates().has(ben.doc.clientID)).toBe(false);
    void ana.close();
    await clock.advance(2_000);
    expect(ben.awareness.getStates().has(ana.doc.clientID)).toBe(false);
  });

  it("[SYNC-11] lets no other tab move its caret, or freeze another's", async () => {
    const { clock, backend, open } = world();
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    const mallory = backend.tab("carol", "9").channels().subscribe(stream, {});
    await clock.advance(1_000);
    ana.awareness.setLocalState({ cursor: 1 });
    await clock.advance(200);
    for (const at of [1_000, 2 ** 50]) {
      const forged = new Awareness(new Y.Doc());
      forged.clientID = ana.doc.clientID;
      forged.setLocalState({ cursor: "EVIL" });
      forged.meta.set(forged.clientID, { clock: at, lastUpdated: 0 });
      mallory.send("y-supabase-awareness", {
        update: Buffer.from(encodeAwarenessUpdate(forged, [forged.clientID])).toString("base64"),
      });
      forged.destroy();
      await clock.advance(200);
    }
    expect(ana.awareness.getLocalState()).toEqual({ cursor: 1 });
    ana.awareness.setLocalState({ cursor: 2 });
    await clock.advance(200);
    expect(ben.awareness.getStates().get(ana.doc.clientID)).toEqual({ cursor: 2 });
  });

  it("ignores garbage on the channel", async () => {
    const { clock, backend, open } = world();
    const ana = open(backend.tab("ana", "1"));
    const mallory = backend.tab("carol", "9").channels().subscribe(stream, {});
    await clock.advance(1_000);
    type(ana, "text");
    for (const update of ["", "AAAA", "!!!", "AQGB", "x".repeat(5_000)])
      mallory.send("y-supabase-update", { update });
    mallory.send("y-supabase-update", null);
    mallory.send("y-supabase-awareness", { update: "AQGB" });
    mallory.send("log", { stream, version: 10 ** 9, ids: ["x"] });
    await clock.advance(3_000);
    expect(textOf(ana)).toBe("text");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });
});
