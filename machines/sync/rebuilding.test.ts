import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { writeUpdate } from "@/events/crdt/updates/yjs-update";
import { everLogged, inputMethod } from "./composing/input-method.fixture";
import {
  forgery,
  fromLog,
  logText,
  logUnder,
  paragraphUnder,
  stream,
  textOf,
  type,
  world,
} from "./live-world.fixture";
import { status } from "./sync-status";

type World = Awaited<ReturnType<typeof meeting>>;

/** Opens one line for Ana and Ben. The log has the text that Ben began. */
async function meeting(begun = ".") {
  const all = world();
  const tabs = { ana: all.backend.tab("ana", "1"), ben: all.backend.tab("ben", "1") };
  const [ana, ben] = [all.open(tabs.ana), all.open(tabs.ben)];
  await all.clock.advance(1_000);
  if (begun !== "") type(ben, begun);
  await all.clock.advance(3_000);
  const mallory = all.backend.tab("carol", "9").channels().subscribe(stream, {});
  await all.clock.advance(1_000);
  return {
    ...all,
    tabs,
    ana,
    ben,
    broadcast: (update: Uint8Array) =>
      mallory.send("y-supabase-update", {
        update: Buffer.from(update).toString("base64"),
        user: { id: "x" },
      }),
  };
}

/**
 * Builds two clients' structs that each start where the other ends. Yjs never finishes integrating
 * them.
 */
function knot(): Uint8Array {
  const after = (client: number) => ({
    info: 0x84,
    clock: 0,
    length: 1,
    origin: { client, clock: 0 },
    rightOrigin: null,
    parent: null,
    rootName: null,
    parentSub: null,
    content: new Uint8Array([1, 120]),
  });
  return writeUpdate({
    blocks: [
      { client: 901, clock: 0, structs: [after(902)] },
      { client: 902, clock: 0, structs: [after(901)] },
    ],
    deletes: [],
  });
}

const alphabet = Array.from({ length: 4_000 }, (_, index) => String.fromCharCode(0x4e00 + index));

/**
 * Types a letter at intervals at the end of the document that the page currently shows. Returns the
 * typed text.
 */
function typist({ clock, ben }: Pick<World, "clock" | "ben">, every: number) {
  let typed = "";
  let going = true;
  const next = () => {
    if (!going) return;
    const letter = alphabet[typed.length] ?? "";
    type(ben, letter);
    typed += letter;
    clock.after(every, next);
  };
  next();
  return () => {
    going = false;
    return typed;
  };
}

/** Types at a caret after a given letter, at this letter's current place. */
function typeBehind(live: World["ben"], before: string, letter: string): void {
  for (const line of live.fragment.toArray()) {
    const textblock = line instanceof Y.XmlElement ? line.get(0) : null;
    if (!(textblock instanceof Y.XmlText)) continue;
    const at = textblock.toString().indexOf(before);
    if (at >= 0) return textblock.insert(at + before.length, letter);
  }
  throw new Error(`The page shows no ${before}.`);
}

const reasons: [name: string, begun: string, happen: (world: World) => Promise<void> | void][] = [
  [
    "its edits hang on text whose author has left",
    ".",
    async ({ clock, ana, tabs }) => {
      type(ana, "lost");
      await clock.advance(20);
      tabs.ana.setOffline(true);
    },
  ],
  [
    "somebody has taken its client id",
    "",
    ({ backend, ben: { doc } }) =>
      logUnder({
        backend,
        clientId: doc.clientID,
        update: paragraphUnder(doc.clientID, "Taken"),
      }),
  ],
  [
    "an event broke the document of the log",
    ".",
    ({ backend }) => logUnder({ backend, clientId: 901, update: knot(), clientIds: [901, 902] }),
  ],
  [
    "an older backup was put in the place of the log",
    ".",
    ({ backend }) => backend.putBack(stream, 0),
  ],
  ["its edits are let go of", ".", ({ ben }) => ben.letGo()],
];

describe("a page that is rebuilt during typing", () => {
  it.each(reasons)(
    "[SYNC-30] brings every letter into the text and the log when %s",
    async (name, begun, happen) => {
      const world = await meeting(begun);
      const { clock, backend, ben } = world;
      let replaced = 0;
      ben.onReplaced(() => (replaced += 1));
      await happen(world);
      const stop = typist(world, 30);
      await clock.advance(12_000);
      const typed = stop();
      await clock.advance(20_000);
      expect(replaced, name).toBeGreaterThan(0);
      // Each letter appears once. Its position may vary, because text typed earlier may be in
      // another paragraph than text typed later.
      const letters = (text: string) =>
        [...text]
          .filter((letter) => letter >= "\u4e00")
          .sort()
          .join("");
      expect(letters(textOf(ben))).toBe(typed);
      expect(letters(logText(backend))).toBe(typed);
      expect(textOf(ben)).toContain(typed.slice(-50));
      expect(status(ben.sync.getSnapshot()).label).toBe("Saved");
    },
  );

  it.each(reasons.filter(([name]) => name !== "its edits are let go of"))(
    "[WRITE-41] logs a composition once it is committed, when %s",
    async (_name, begun, happen) => {
      const world = await meeting(begun);
      const { clock, backend, ben } = world;
      let replaced = 0;
      ben.onReplaced(() => (replaced += 1));
      const keys = inputMethod(ben);
      await happen(world);
      const at = begun === "" ? 0 : textOf(ben).length;
      for (const step of ["に", "にほ", "にほん", "にほんご", "日本ご", "日本語"]) {
        keys.compose(step, at);
        await clock.advance(3_000);
      }
      keys.commit("日本語", at);
      await clock.advance(60_000);
      expect(replaced).toBeGreaterThan(0);
      expect(textOf(ben).split("日本語")).toHaveLength(2);
      expect(logText(backend)).toBe(textOf(ben));
      expect(everLogged(backend)).not.toMatch(/[にほんご]/u);
      expect(status(ben.sync.getSnapshot()).label).toBe("Saved");
    },
  );

  it(
    "[SYNC-30] keeps the caret behind the last typed letter when another person has " +
      "taken its client id",
    async () => {
      const { clock, backend, open } = world();
      const tab = backend.tab("ben", "1");
      const store = tab.store();
      // The first tab whose edits reach the log gets the client id.
      let release = () => {};
      const taken = new Promise<void>((resolve) => (release = resolve));
      const ben = open(tab, {
        store: { ...store, append: (...asked) => taken.then(() => store.append(...asked)) },
      });
      await clock.advance(1_000);
      let typed = "";
      const next = () => {
        const letter = alphabet[typed.length] ?? "";
        if (typed === "") type(ben, letter);
        else typeBehind(ben, typed.slice(-1), letter);
        typed += letter;
      };
      for (let letter = 0; letter < 4; letter += 1) next();
      let replaced = 0;
      let between = 0;
      ben.onReplaced(() => (replaced += 1));
      const { doc } = ben;
      const { clientID } = doc;
      doc.on("afterTransactionCleanup", () => {
        if (doc.clientID === clientID || between > 0) return;
        between += 1;
        // This runs before the page is rebuilt.
        queueMicrotask(next);
      });
      await clock.advance(1);
      const theirs = "Taken.".repeat(50);
      logUnder({ backend, clientId: clientID, update: paragraphUnder(clientID, theirs) });
      for (let letter = 0; letter < 50; letter += 1) {
        await clock.advance(30);
        next();
      }
      release();
      await clock.advance(20_000);
      expect([replaced > 0, between]).toEqual([true, 1]);
      const lines = [`<paragraph>${theirs}</paragraph>`, `<paragraph>${typed}</paragraph>`];
      expect(ben.fragment.toArray().map(String).sort()).toEqual(lines);
      expect(fromLog(backend).doc.getXmlFragment("default").toArray().map(String).sort()).toEqual(
        lines,
      );
    },
  );

  it(
    "[SYNC-30] takes in text typed between the slices of a long rebuild, under " +
      "one new client id",
    async () => {
      const world = await meeting();
      const { clock, backend, ana, ben, tabs } = world;
      type(ana, "lost");
      await clock.advance(20);
      tabs.ana.setOffline(true);
      let typed = "";
      for (const letter of alphabet.slice(0, 2_500)) {
        type(ben, letter);
        typed += letter;
      }
      let replaced = false;
      let between = 0;
      ben.onReplaced(() => (replaced = true));
      // Types a letter in each turn that a rebuild yields.
      const { after } = clock;
      clock.after = (delay, task) => {
        if (delay > 0) return after.call(clock, delay, task);
        return after.call(clock, 0, () => {
          const letter = alphabet[typed.length] ?? "";
          type(ben, letter);
          typed += letter;
          between += 1;
          task();
        });
      };
      await clock.until(() => replaced, 30_000);
      expect(between).toBeGreaterThan(1);
      await clock.advance(20_000);
      expect(textOf(ben)).toBe(`.${typed}`);
      expect(logText(backend)).toBe(textOf(ben));
      const edits = fromLog(backend);
      expect(edits.anomalies).toEqual([]);
      const rows = backend.log(stream).flatMap(({ clientIds }) => clientIds);
      expect(new Set(rows).size).toBe(2);
    },
  );

  it(
    "[WRITE-22] waits for the end of a composition in the old document, " +
      "and sends nothing meanwhile",
    async () => {
      const world = await meeting();
      const { clock, backend, ana, ben, tabs } = world;
      type(ana, "lost");
      await clock.advance(20);
      tabs.ana.setOffline(true);
      let done = () => {};
      let asked = 0;
      let replaced = 0;
      const { doc } = ben;
      ben.onReplaced(() => (replaced += 1));
      const composed = new Promise<void>((resolve) => (done = resolve));
      let composing = true;
      const end = ben.show({
        composition: () => null,
        settle: () => {
          asked += 1;
          return composing ? composed : null;
        },
        rebind: ({ doc: to, fragment }) => {
          expect([to, fragment]).toEqual([ben.doc, ben.fragment]);
        },
      });
      type(ben, "X", 3);
      await clock.advance(30_000);
      expect(asked).toBe(1);
      for (const letter of "Y1") {
        type(ben, letter);
        await clock.advance(2_000);
      }
      expect([ben.doc === doc, replaced]).toEqual([true, 0]);
      expect(logText(backend)).toBe(".");
      expect(status(ben.sync.getSnapshot()).label).toBe("Saving…");
      composing = false;
      done();
      await clock.advance(3_000);
      expect(replaced).toBe(1);
      expect(logText(backend)).toBe(".XY1");
      expect(textOf(ben)).toBe(".XY1");
      end();
    },
  );

  it("[SYNC-13] [SYNC-30] drops text that its author never logs, and stays editable", async () => {
    const world = await meeting();
    const { clock, backend, ben, broadcast } = world;
    broadcast(forgery(world.ana));
    await clock.advance(50);
    expect(textOf(ben)).toContain("EVIL");
    const bound: unknown[] = [];
    ben.show({ composition: () => null, settle: () => null, rebind: ({ doc }) => bound.push(doc) });
    await clock.until(() => bound.length > 0, 120_000);
    type(ben, "On.");
    await clock.advance(3_000);
    expect(bound.at(-1)).toBe(ben.doc);
    expect([textOf(ben), logText(backend)]).toEqual([".On.", ".On."]);
  });

  it(
    "[SYNC-30] logs a long offline text in slices, " + "with the letters typed between them",
    async () => {
      const { clock, backend, ben, tabs } = await meeting();
      tabs.ben.setOffline(true);
      let typed = "";
      const next = () => {
        const letter = alphabet[typed.length] ?? "";
        type(ben, letter);
        typed += letter;
      };
      for (let letter = 0; letter < 3_500; letter += 1) next();
      await clock.advance(20_000);
      let between = 0;
      const { after } = clock;
      clock.after = (delay, task) =>
        after.call(clock, delay, delay > 0 ? task : () => ((between += 1), next(), task()));
      tabs.ben.setOffline(false);
      await clock.advance(40_000);
      expect(between).toBeGreaterThan(1);
      expect(logText(backend)).toBe(`.${typed}`);
      expect(textOf(ben)).toBe(logText(backend));
      expect(status(ben.sync.getSnapshot()).label).toBe("Saved");
    },
  );
});
