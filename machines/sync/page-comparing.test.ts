import { expect, it } from "vitest";
import * as Y from "yjs";
import type { LiveDocument } from "./live-document";
import {
  logUnder,
  paragraphsUnder,
  patientClock,
  stream,
  textOf,
  type,
  world,
} from "./live-world.fixture";

/** Returns `count` lines. */
const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at} `);

/**
 * Ana writes in front of 3 000 lines that Ben has open. `turn` runs in every turn that Ben's page
 * yields.
 */
async function longPage() {
  const { clock, backend, open } = world();
  const hooks = { turn: () => {} };
  const append = (clientId: number, count: number) =>
    logUnder({ backend, clientId, update: paragraphsUnder(clientId, lines(count)) });
  const patient = patientClock(clock, () => hooks.turn());
  const ana = open(backend.tab("ana", "1"));
  await clock.advance(1_000);
  type(ana, "begun ");
  await clock.advance(3_000);
  append(77, 3_000);
  const ben = open(backend.tab("ben", "1"), { clock: patient });
  await clock.advance(30_000);
  return { clock, backend, append, ana, ben, hooks };
}

/** Writes a word after the text. */
function writeBehind(doc: Y.Doc, word: string): void {
  const text = doc.getXmlFragment("default");
  const paragraph = text.get(text.length - 1);
  const words = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
  if (words instanceof Y.XmlText) words.insert(words.length, word);
}

/** Forges a word after the text, under the client id of a person who has not written it. */
function forgery({ doc }: Pick<LiveDocument, "doc">): Uint8Array {
  const forged = new Y.Doc();
  Y.applyUpdate(forged, Y.encodeStateAsUpdate(doc));
  const before = Y.encodeStateVector(forged);
  forged.clientID = doc.clientID;
  writeBehind(forged, "EVIL");
  return Y.encodeStateAsUpdate(forged, before);
}

it("[SYNC-49] a long page is compared with the log in slices, and returns to it", async () => {
  const { clock, backend, ana, ben, hooks } = await longPage();
  const forged = forgery(ana);
  const mallory = backend.tab("carol", "9").channels().subscribe(stream, {});
  await clock.advance(1_000);
  mallory.send("y-supabase-update", {
    update: Buffer.from(forged).toString("base64"),
    user: { id: "x" },
  });
  await clock.advance(50);
  expect(textOf(ben)).toContain("EVIL");
  let turns = 0;
  hooks.turn = () => (turns += 1);
  writeBehind(ana.doc, "real");
  await clock.advance(20_000);
  expect(turns).toBeGreaterThan(5);
  expect(textOf(ben)).toBe(textOf(ana));
  expect(textOf(ben)).not.toContain("EVIL");
  expect(ben.debug().page.rebuiltFor).toEqual(["unlike-log"]);
});

it("[SYNC-49] text read between two slices and not shown yet is no difference", async () => {
  const { clock, append, ana, ben, hooks } = await longPage();
  let turns = 0;
  let ahead = 0;
  hooks.turn = () => {
    turns += 1;
    if (turns === 2) append(78, 2_000);
    if (turns > 2 && !textOf(ben).includes("1999 0 ")) ahead += 1;
  };
  type(ana, "honestly ");
  await clock.advance(20_000);
  expect(ben.debug().page.rebuiltFor).toEqual([]);
  expect(textOf(ben)).toBe(textOf(ana));
  expect(turns).toBeGreaterThan(5);
  expect(ahead).toBeGreaterThan(0);
});
