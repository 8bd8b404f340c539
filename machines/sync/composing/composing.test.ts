import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { memoryOutbox } from "@/events/device/outbox";
import { DraftDocument } from "../device/draft-document";
import {
  crashingOutbox,
  logText,
  paragraph,
  stream,
  textOf,
  type,
  world,
} from "../live-world.fixture";
import type { Composition } from "../device/page-view";
import { status } from "../sync-status";
import { blockOf, everLogged, inputMethod } from "./input-method.fixture";
import { idleComposition, longestComposition } from "./open-compositions";

/** Opens one logged line for Ana and Ben. */
async function meeting() {
  const all = world();
  const { outbox, plain, crash } = crashingOutbox();
  const [tab, bens] = [all.backend.tab("ana", "1"), all.backend.tab("ben", "1")];
  const [ana, ben] = [all.open(tab, { outbox }), all.open(bens)];
  await all.clock.advance(1_000);
  type(ben, "Start. ");
  await all.clock.advance(3_000);
  const label = () => status(ana.sync.getSnapshot()).label;
  return { ...all, ana, ben, tab, label, plain, crash, keys: inputMethod(ana) };
}

describe("a composition", () => {
  it("[WRITE-41] reaches the log when committed, as one edit without its intermediate letters", async () => {
    const there = await meeting();
    const { clock, backend, ana, ben, keys, label } = there;
    const edits = () => backend.log(stream).length;
    const before = edits();
    for (const step of ["z", "zh", "zhong", "zhongguo"]) {
      keys.compose(step, 7);
      await clock.advance(1_500);
      expect([edits() - before, label()]).toEqual([0, "Saving…"]);
      // Others still see the letters.
      expect(textOf(ben)).toBe(`Start. ${step}`);
    }
    keys.commit("中国", 7);
    await clock.advance(3_000);
    expect([everLogged(there.backend), label()]).toEqual(["Start. 中国", "Saved"]);
    expect([textOf(ana), textOf(ben), logText(backend)]).toEqual(Array(3).fill("Start. 中国"));
    expect(edits() - before).toBe(1);
  });

  it("[WRITE-41] leaves nothing in the log when it shrinks to nothing", async () => {
    const there = await meeting();
    for (const step of ["a", "ab", ""]) there.keys.compose(step, 7);
    there.keys.commit("", 7);
    await there.clock.advance(3_000);
    expect([everLogged(there.backend), textOf(there.ben), there.label()]).toEqual([
      "Start. ",
      "Start. ",
      "Saved",
    ]);
  });

  it("[WRITE-41] is recorded before the text typed right after it", async () => {
    const there = await meeting();
    there.keys.compose("n", 7);
    there.keys.commit("に", 7);
    type(there.ana, " on");
    there.keys.compose("h", 11);
    await there.clock.advance(3_000);
    expect([everLogged(there.backend), there.label()]).toEqual(["Start. に on", "Saving…"]);
    there.keys.commit("ほ", 11);
    await there.clock.advance(3_000);
    expect([everLogged(there.backend), there.label()]).toEqual(["Start. に onほ", "Saved"]);
  });

  it("[WRITE-41] is saved as it stands after a pause", async () => {
    const there = await meeting();
    there.keys.compose("h", 7);
    there.keys.compose("hello", 7);
    await there.clock.advance(idleComposition + 3_000);
    expect([everLogged(there.backend), there.label()]).toEqual(["Start. hello", "Saved"]);
    there.keys.compose("hello", 7);
    there.keys.commit("hello", 7);
    await there.clock.advance(3_000);
    expect([logText(there.backend), there.label()]).toEqual(["Start. hello", "Saved"]);
  });

  it("[WRITE-41] is saved as it stands when it lasts very long", async () => {
    const there = await meeting();
    for (let second = 0; second * 1_000 < longestComposition + 3_000; second += 1) {
      there.keys.compose("a".repeat(1 + second), 7);
      await there.clock.advance(1_000);
    }
    expect(logText(there.backend)).toMatch(/^Start\. a{60,}$/);
  });

  it.each(["hidden", "closed"])(
    "[WRITE-41] [SYNC-83] is recorded as it stands when its page is %s",
    async (how) => {
      const there = await meeting();
      there.keys.compose("に", 7);
      there.keys.compose("日本", 7);
      if (how === "hidden") there.ana.flush();
      else void there.ana.close();
      await there.clock.advance(3_000);
      expect([everLogged(there.backend), textOf(there.ben)]).toEqual([
        "Start. 日本",
        "Start. 日本",
      ]);
    },
  );

  it("[WRITE-41] [SYNC-2] survives a crash of its page", async () => {
    const there = await meeting();
    there.keys.compose("に", 7);
    there.keys.compose("日本", 7);
    await there.clock.advance(100);
    there.crash();
    const again = there.open(there.backend.tab("ana", "2"), { outbox: there.plain });
    await there.clock.advance(10_000);
    expect([textOf(again), logText(there.backend)]).toEqual(Array(2).fill("Start. 日本"));
  });

  it("[WRITE-41] waits for the network", async () => {
    const there = await meeting();
    there.tab.setOffline(true);
    there.keys.compose("に", 7);
    await there.clock.advance(30_000);
    expect(there.label()).toBe("Offline");
    there.keys.commit("日", 7);
    await there.clock.advance(5_000);
    there.tab.setOffline(false);
    await there.clock.advance(60_000);
    expect([logText(there.backend), there.label()]).toEqual(["Start. 日", "Saved"]);
  });
});

describe("a composition in a draft", () => {
  it.each([true, false])(
    "[WRITE-41] is one edit (committed before the connection: %s)",
    async (isOver) => {
      const all = world();
      const outbox = memoryOutbox();
      const box = outbox.open({ userId: "ana", documentId: stream });
      const state = Y.encodeStateAsUpdate(new Y.Doc());
      const { clock, random, backend } = all;
      const draft = new DraftDocument({
        initial: { state },
        box,
        clock,
        random,
        mayWrite: true,
        onChange: () => {},
      });
      draft.doc.transact(() => draft.fragment.insert(0, [paragraph("Start. ")]));
      const keys = inputMethod(draft);
      for (const step of ["z", "zhong", "中"]) keys.compose(step, 7);
      if (isOver) keys.commit("中国", 7);
      const ana = all.open(backend.tab("ana", "1"), {
        outbox: { ...outbox, open: () => box },
        initial: { version: 0, state },
        draft,
      });
      ana.show(keys.view);
      await clock.advance(3_000);
      if (!isOver) {
        expect(everLogged(backend)).toBe("Start. ");
        keys.commit("中国", 7);
      }
      await clock.advance(3_000);
      expect([everLogged(backend), logText(backend)]).toEqual(Array(2).fill("Start. 中国"));
    },
  );
});

describe("text that others write near a composition", () => {
  it("[WRITE-42] is shown when the composition ends, with every letter once", async () => {
    const { clock, backend, ana, ben, keys } = await meeting();
    keys.compose("に", 7);
    type(ben, "BEN", 6);
    await clock.advance(3_000);
    expect([textOf(ana), logText(backend)]).toEqual(["Start. に", "Start.BEN "]);
    keys.compose("にほん", 7);
    type(ben, "!", 9);
    await clock.advance(3_000);
    expect(textOf(ana)).toBe("Start. にほん");
    keys.commit("日本", 7);
    await clock.advance(3_000);
    expect([textOf(ana), textOf(ben), logText(backend)]).toEqual(Array(3).fill("Start.BEN! 日本"));
    expect(keys.finished).toBe(0);
  });

  it("[WRITE-42] is shown at once in other blocks", async () => {
    const { clock, ana, ben, keys } = await meeting();
    keys.compose("に", 7);
    ben.doc.transact(() => {
      const paragraph = new Y.XmlElement("paragraph");
      paragraph.insert(0, [new Y.XmlText("Next.")]);
      ben.fragment.push([paragraph]);
    });
    await clock.advance(3_000);
    expect(textOf(ana)).toBe("Start. にNext.");
  });

  it("[WRITE-42] does not wait for an idle composition", async () => {
    const { clock, ana, ben, keys } = await meeting();
    keys.compose("に", 7);
    // Ben keeps writing in the same block.
    for (let second = 0; second * 1_000 < idleComposition + 3_000; second += 1) {
      type(ben, "!", 5);
      await clock.advance(1_000);
    }
    expect(keys.finished).toBe(1);
    expect(textOf(ana)).toMatch(/^Start!+\. に$/);
  });

  it("[WRITE-42] is shown after a while though the input method does not commit", async () => {
    const { clock, ana, ben, keys } = await meeting();
    keys.compose("に", 7);
    const stuck: Composition = {
      isOpen: true,
      ended: new Promise<void>(() => {}),
      block: () => blockOf(ana),
      finish: () => {},
    };
    ana.show({ composition: () => stuck, settle: () => null, rebind: () => {} });
    type(ben, "!", 5);
    await clock.advance(3 * longestComposition);
    expect(textOf(ana)).toBe("Start!. に");
  });
});
