import { expect, it } from "vitest";
import * as Y from "yjs";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { LiveDocument } from "../live-document";
import {
  fromLog,
  logText,
  logUnder,
  paragraph,
  paragraphsUnder,
  patientClock,
  textOf,
  type,
  world,
} from "../live-world.fixture";
import { pageSteps } from "./page-steps";
import { status } from "../sync-status";

/** Rewrites every second line but the first, removes some lines and inserts others. */
function rewrite(lines: Y.XmlFragment): void {
  for (let at = lines.length - 1; at > 0; at -= 1) {
    const line = lines.get(at);
    const words = line instanceof Y.XmlElement ? line.get(0) : null;
    if (at % 7 === 0) lines.delete(at, 1);
    else if (at % 5 === 0) lines.insert(at, [paragraph(`<come ${at}>`)]);
    else if (at % 2 === 1 && words instanceof Y.XmlText) {
      words.delete(0, words.length);
      words.insert(0, `<now ${at}>`);
    }
  }
}

const linesOf = ({ fragment }: Pick<LiveDocument, "fragment">) =>
  fragment
    .toString()
    .replaceAll("x", "")
    .split(/<\/?paragraph>/)
    .filter((line) => line !== "");

/**
 * Ben has 600 lines open, which Carol rewrites in one edit. `turn` runs in every turn that Ben's
 * page yields until it shows the whole edit.
 */
async function rewritten(turn: (at: { ben: LiveDocument; ana: LiveDocument }) => void) {
  const { clock, backend, open } = world();
  let begun = Infinity;
  const pages: { ana?: LiveDocument; ben?: LiveDocument } = {};
  const patient = patientClock(clock, () => {
    const { ana, ben } = pages;
    if (ana && ben && ben.version > begun) turn({ ana, ben });
  });
  const lines = Array.from({ length: 600 }, (_, at) => `<was ${at}>`);
  logUnder({ backend, clientId: 77, update: paragraphsUnder(77, lines) });
  const ana = (pages.ana = open(backend.tab("ana", "1")));
  const ben = (pages.ben = open(backend.tab("ben", "1"), { clock: patient }));
  await clock.advance(30_000);
  const was = linesOf(ben);
  begun = ben.version;
  const carol = fromLog(backend).doc;
  carol.clientID = 88;
  const before = Y.encodeStateVector(carol);
  carol.transact(() => rewrite(carol.getXmlFragment("default")));
  logUnder({ backend, clientId: 88, update: Y.encodeStateAsUpdate(carol, before) });
  const now = linesOf({ fragment: carol.getXmlFragment("default") });
  await clock.advance(30_000);
  return { backend, ana, ben, was, now };
}

it("[SYNC-50] a large change is shown in steps of whole lines, and text typed between them stays", async () => {
  const states: string[][] = [];
  const { backend, ana, ben, was, now } = await rewritten((pages) => {
    states.push(linesOf(pages.ben));
    type(pages.ben, "x", 0);
  });
  const known = new Set([...was, ...now]);
  expect(states.length).toBeGreaterThan(4);
  for (const lines of states) for (const line of lines) expect(known).toContain(line);
  const between = states.filter((lines) => lines.some((line) => !was.includes(line)));
  expect(between.some((lines) => lines.some((line) => !now.includes(line)))).toBe(true);
  expect(linesOf(ben)).toEqual(now);
  expect(textOf(ben)).toContain("x".repeat(states.length));
  expect(textOf(ben)).toBe(logText(backend));
  expect(textOf(ana)).toBe(textOf(ben));
  expect(status(ben.sync.getSnapshot()).label).toBe("Saved");
  expect(ben.debug().page.rebuiltFor).toEqual([]);
});

it("[SYNC-50] text that another person adds to a line not shown yet is shown later", async () => {
  let unlogged = 0;
  let wrote = false;
  const { backend, ana, ben, now } = await rewritten((pages) => {
    const last = pages.ana.fragment.get(pages.ana.fragment.length - 1);
    const words = last instanceof Y.XmlElement ? last.get(0) : null;
    if (!wrote && words instanceof Y.XmlText && words.toString().includes("now"))
      words.insert(5, "xxx");
    wrote = words instanceof Y.XmlText && words.toString().includes("xxx");
    if (wrote && !textOf(pages.ben).includes("now 599")) unlogged += 1;
  });
  expect(unlogged).toBeGreaterThan(0);
  expect(linesOf(ben)).toEqual(now);
  expect(textOf(ben)).toContain("xxx");
  expect(textOf(ben)).toBe(logText(backend));
  expect(textOf(ana)).toBe(textOf(ben));
  expect(ben.debug().page.rebuiltFor).toEqual([]);
});

it("[SYNC-50] a page that is rebuilt or closed between two steps loses nothing", async () => {
  let turns = 0;
  const anew = await rewritten(({ ben }) => {
    turns += 1;
    type(ben, "x", 0);
    if (turns === 3) ben.letGo();
  });
  expect(linesOf(anew.ben)).toEqual(anew.now);
  expect(textOf(anew.ben)).toBe(logText(anew.backend));
  expect(anew.ben.debug().page.rebuiltFor).toEqual(["discarded"]);
  let closing = false;
  let left = "";
  const gone = await rewritten(({ ben }) => {
    if (closing) return;
    closing = true;
    type(ben, "x", 0);
    void ben.close().then(() => (left = textOf(ben)));
  });
  // A closed page shows no further steps.
  expect(left).toContain("was 599");
  expect(textOf(gone.ben)).toBe(left);
  expect(textOf(gone.ana)).toBe(logText(gone.backend));
  expect(textOf(gone.ana)).toContain("x");
  expect(fromLog(gone.backend).anomalies).toEqual([]);
});

it("[SYNC-50] many changes of middle size are applied in few steps", () => {
  const update = paragraphsUnder(77, Array<string>(300).fill("many letters ".repeat(30)));
  const [page, author] = [new Y.Doc(), new Y.Doc()];
  for (const doc of [page, author]) Y.applyUpdate(doc, update);
  const logged = Array.from({ length: 300 }, () => {
    let each = update;
    author.once("update", (made: Uint8Array) => (each = made));
    author.getXmlFragment("default").delete(0, 1);
    return { update: each, inspected: inspectUpdate(each) };
  });
  let steps = 0;
  for (const step of pageSteps(logged, () => page.getXmlFragment("default"))) {
    steps += 1;
    for (const each of step) Y.applyUpdate(page, each);
  }
  expect(steps).toBeGreaterThan(8);
  expect(steps).toBeLessThan(64);
  expect(page.getXmlFragment("default").length).toBe(0);
});
