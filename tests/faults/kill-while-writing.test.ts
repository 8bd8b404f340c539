import * as Y from "yjs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import { status } from "@/machines/sync/sync-status";
import { signUp, type Person } from "@/tests/support/people";
import { startStack, type Stack } from "@/tests/support/stack";
import { meet, write, type Writer } from "@/tests/support/writers";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));

/** Puts one letter, which nobody else ever types, somewhere into the writer's page. */
function type({ live }: Writer, letter: string, place: number): void {
  live.doc.transact(() => {
    let paragraph = live.fragment.get(0);
    if (!(paragraph instanceof Y.XmlElement)) {
      paragraph = new Y.XmlElement("paragraph");
      paragraph.insert(0, [new Y.XmlText()]);
      live.fragment.insert(0, [paragraph]);
    }
    const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
    if (textblock instanceof Y.XmlText)
      textblock.insert(Math.floor(place * (textblock.length + 1)), letter);
  });
}

describe("a backend that is killed while two people write", () => {
  let stack: Stack;
  let people: Person[];
  let writers: Writer[] = [];
  let documentId: string;

  beforeAll(async () => {
    stack = await startStack();
    people = [await signUp(stack, "Ana"), await signUp(stack, "Ben")];
    documentId = await meet(people);
  }, 300_000);

  afterAll(async () => {
    await Promise.all(writers.map(({ live }) => live.close()));
    for (const { client } of people ?? []) await client.realtime.disconnect();
    await stack?.dispose();
  });

  it(
    `[SYNC-2] [SYNC-3] loses no letter and doubles none (seed ${seed})`,
    { timeout: 180_000 },
    async () => {
      const random = seededRandom(seed);
      writers = people.map((person) => write(person, documentId));
      await Promise.all(writers.map(({ live }) => live.loaded));
      const typed = new Map<string, string>();
      let letter = 0x4e00;
      let writing = true;
      const loops = writers.map(async (writer) => {
        while (writing) {
          const next = String.fromCharCode(letter++);
          typed.set(next, writer.person.user.id);
          type(writer, next, random.unit());
          await pause(20 + random.below(60));
        }
      });
      let sawUnsaved = 0;
      for (let kill = 0; kill < 2; kill += 1) {
        await pause(1_500 + random.below(1_500));
        await stack.kill();
        sawUnsaved += writers.filter(
          ({ live }) => live.sync.getSnapshot().context.pending > 0,
        ).length;
        await stack.restart();
      }
      await pause(1_000);
      writing = false;
      await Promise.all(loops);
      const end = Date.now() + 60_000;
      const settled = () =>
        writers.every(
          ({ live }) =>
            status(live.sync.getSnapshot()).label === "Saved" &&
            live.sync.getSnapshot().value.link === "live",
        ) && new Set(writers.map(({ live }) => live.version)).size === 1;
      while (!settled()) {
        expect(
          Date.now(),
          JSON.stringify(writers.map(({ live }) => live.sync.getSnapshot().value)),
        ).toBeLessThan(end);
        await pause(50);
      }
      expect(sawUnsaved).toBeGreaterThan(0);

      const rows = await supabaseStore(people[0]!.client).read(documentId, 0);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
      const fold = new ConfirmedDocument(null);
      const broughtBy = new Map<string, string>();
      for (const row of rows) {
        fold.integrate(row);
        for (const one of fold.doc.getXmlFragment("default").toString())
          if (!broughtBy.has(one)) broughtBy.set(one, row.actorId);
      }
      expect(fold.anomalies).toEqual([]);
      const text = fold.doc.getXmlFragment("default").toString();
      expect([...text].filter((one) => one >= "\u4e00").sort()).toEqual([...typed.keys()].sort());
      for (const [one, author] of typed) expect(broughtBy.get(one)).toBe(author);
      for (const { live } of writers) expect(live.fragment.toString()).toBe(text);
    },
  );
});
