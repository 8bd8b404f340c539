import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { StoreFault } from "@/events/log/store";
import type { Appended } from "@/events/log/store";
import {
  crashingOutbox,
  logText,
  logUnder,
  paragraphUnder,
  stream,
  textOf,
  type,
  world,
} from "./live-world.fixture";
import { status } from "./sync-status";

/** Opens a tab that can also append synchronously. Its appends are counted. */
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

describe("text typed right before a page is hidden", () => {
  it("[SYNC-83] is logged once, though the page gets no further turn", async () => {
    const { clock, backend, ana, sent, plain, crash, ids, open } = hiding("are lost");
    await clock.advance(1_000);
    type(ana, "last words");
    await clock.advance(20);
    // The device has stored the edit but does not store its batch.
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

  describe("and whose client id another person has logged since", () => {
    /** Ana's tab has died with unsent words, and Carol has written under the tab's client id. */
    async function taken(theirs: string) {
      const { clock, backend, open } = world();
      const { outbox, plain, crash } = crashingOutbox();
      const tab = backend.tab("ana", "1");
      const ana = open(tab, { outbox });
      await clock.advance(1_000);
      tab.setOffline(true);
      type(ana, "last words");
      await clock.advance(20);
      crash();
      const { clientID } = ana.doc;
      logUnder({ backend, clientId: clientID, update: paragraphUnder(clientID, theirs) });
      const next = backend.tab("ana", "2");
      return {
        clock,
        backend,
        next,
        again: (store = next.store()) => open(next, { outbox: plain, store }),
      };
    }

    it.each(["as many words of another person", "few"])(
      "[SYNC-83] is kept and sent beside %j",
      async (theirs) => {
        const { clock, backend, again } = await taken(theirs);
        const page = again();
        await clock.advance(20_000);
        const lines = [`<paragraph>${theirs}</paragraph>`, "<paragraph>last words</paragraph>"];
        expect(page.fragment.toArray().map(String).sort()).toEqual(lines.sort());
        expect(logText(backend)).toContain("last words");
        expect(logText(backend)).toContain(theirs);
        expect(status(page.sync.getSnapshot()).label).toBe("Saved");
      },
    );

    it("[SYNC-30] is shown as it was, and can be edited, before it can be sent", async () => {
      const theirs = "as many words of another person";
      const { clock, next, again } = await taken(theirs);
      const page = again({ ...next.store(), append: () => new Promise(() => {}) });
      await clock.advance(5_000);
      const lines = () => page.fragment.toArray().map(String).sort();
      const shown = [`<paragraph>${theirs}</paragraph>`, "<paragraph>last words</paragraph>"];
      expect(lines()).toEqual(shown);
      for (const line of page.fragment.toArray()) {
        const words = line instanceof Y.XmlElement ? line.get(0) : null;
        if (!(words instanceof Y.XmlText)) continue;
        words.delete(0, 1);
        words.insert(words.length, "!");
      }
      await clock.advance(5_000);
      const changed = shown.map((line) => line.replace(/>./, ">").replace("</", "!</"));
      expect(lines()).toEqual(changed.sort());
    });
  });

  it("[SYNC-83] is sent once by a page that goes on, and shown as saved", async () => {
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

  it("[SYNC-83] is sent again when that request fails", async () => {
    const { clock, backend, ana, sent } = hiding("fail");
    await clock.advance(1_000);
    type(ana, "again");
    ana.flush();
    await clock.advance(2_000);
    expect(sent).toEqual({ atOnce: 1, later: 1 });
    expect(logText(backend)).toBe("again");
    expect(status(ana.sync.getSnapshot()).label).toBe("Saved");
  });

  it("[SYNC-83] follows edits that are already on their way, in order", async () => {
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

  it("[SYNC-83] is not sent for a person who may not write", async () => {
    const { clock, ana, sent } = hiding();
    await clock.advance(1_000);
    type(ana, "kept");
    ana.setAccess("read");
    ana.flush();
    expect(sent.atOnce).toBe(0);
  });
});
