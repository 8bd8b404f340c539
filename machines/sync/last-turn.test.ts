import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { type Appended, StoreFault } from "@/events/log/store";
import { crashingOutbox, logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

/** A tab whose appends go out in one turn as well, and are counted. */
function hiding(answers: "arrive" | "are lost" | "fail" = "arrive") {
  const there = world();
  const tab = there.backend.tab("ana", "1");
  const store = tab.store();
  const sent = { atOnce: 0, later: 0 };
  const { outbox, plain, crash } = crashingOutbox();
  const ana = there.open(tab, {
    outbox,
    store: {
      ...store,
      append: (...call) => {
        sent.later += 1;
        return store.append(...call);
      },
      appendAtOnce: (document, proposals): Promise<Appended> => {
        sent.atOnce += 1;
        if (answers === "fail") return Promise.reject(new StoreFault("not taken", 0));
        const answer = Promise.resolve(there.backend.append("ana", document, [...proposals]));
        return answers === "arrive" ? answer : new Promise(() => {});
      },
    },
  });
  const ids = () => there.backend.log(stream).map(({ id }) => id);
  return { ...there, ana, sent, plain, crash, ids };
}

describe("what is typed right before a page is hidden", () => {
  it("[SYNC-83] is in the log although no turn of the page comes after it, once", async () => {
    const { clock, backend, ana, sent, plain, crash, ids, open } = hiding("are lost");
    await clock.advance(1_000);
    type(ana, "last words");
    await clock.advance(20);
    // The device has the edit, and is not to hear of the batch that it went into.
    ana.flush();
    crash();
    expect(
      (await plain.peek({ userId: "ana", documentId: stream })).map(({ kind }) => kind),
    ).toEqual(["edit"]);
    expect(sent).toEqual({ atOnce: 1, later: 0 });
    expect(logText(backend)).toBe("last words");
    const before = ids();
    const again = open(backend.tab("ana", "2"), { outbox: plain });
    await clock.advance(10_000);
    expect(textOf(again)).toBe("last words");
    expect(status(again.sync.getSnapshot()).label).toBe("Saved");
    expect(ids()).toEqual(before);
    expect(await plain.documents("ana")).toEqual([]);
  });

  it("[SYNC-83] is kept where somebody else has logged as much under its client id since", async () => {
    const { clock, backend, open } = world();
    const { outbox, plain, crash } = crashingOutbox();
    const tab = backend.tab("ana", "1");
    const ana = open(tab, { outbox });
    await clock.advance(1_000);
    tab.setOffline(true);
    type(ana, "last words");
    await clock.advance(20);
    crash();
    const theirs = new Y.Doc();
    theirs.clientID = ana.doc.clientID;
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText("as many words of somebody else")]);
    theirs.getXmlFragment("default").push([paragraph]);
    const update = encodeEdits([{ update: Y.encodeStateAsUpdate(theirs), time: 0 }]);
    const taken = { id: "taken", type: "document.edited" as const, body: {}, update };
    expect(backend.append("carol", stream, [{ ...taken, clientIds: [theirs.clientID] }]).ok).toBe(
      true,
    );
    const again = open(backend.tab("ana", "2"), { outbox: plain });
    await clock.advance(20_000);
    for (const words of ["last words", "as many words of somebody else"]) {
      expect(textOf(again)).toContain(words);
      expect(logText(backend)).toContain(words);
    }
    expect(status(again.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-83] is sent once by a page that goes on, and said to be saved", async () => {
    const { clock, backend, ana, sent, ids } = hiding();
    await clock.advance(1_000);
    type(ana, "hidden");
    ana.flush();
    await clock.advance(2_000);
    expect(sent).toEqual({ atOnce: 1, later: 0 });
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
    type(ana, " and seen");
    await clock.advance(2_000);
    expect(logText(backend)).toBe("hidden and seen");
    expect(new Set(ids()).size).toBe(ids().length);
  });

  it("[SYNC-83] is sent again under the same id where that request came to nothing", async () => {
    const { clock, backend, ana, sent } = hiding("fail");
    await clock.advance(1_000);
    type(ana, "again");
    ana.flush();
    await clock.advance(2_000);
    expect(sent).toEqual({ atOnce: 1, later: 1 });
    expect(logText(backend)).toBe("again");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-83] goes with what is on its way already, in order", async () => {
    const { clock, backend, ana, ids } = hiding();
    backend.weather.latency = 4_000;
    await clock.advance(20_000);
    type(ana, "one ");
    await clock.advance(1_000);
    type(ana, "two");
    ana.flush();
    expect(logText(backend)).toBe("one two");
    await clock.advance(60_000);
    expect(logText(backend)).toBe("one two");
    expect(ids()).toHaveLength(2);
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-83] is not sent by who may not write", async () => {
    const { clock, ana, sent } = hiding();
    await clock.advance(1_000);
    type(ana, "kept");
    ana.setAccess("read");
    ana.flush();
    expect(sent.atOnce).toBe(0);
  });
});
