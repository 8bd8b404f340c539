import { expect, it } from "vitest";
import * as Y from "yjs";
import { type Clock } from "@/events/core/clock";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { type LiveDocument } from "./live-document";
import { fromLog, logText, stream, textOf, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

function paragraph(words: string): Y.XmlElement {
  const element = new Y.XmlElement("paragraph");
  element.insert(0, [new Y.XmlText(words)]);
  return element;
}

/** Puts other words into every second line but the first, takes some lines away and puts others there. */
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
 * Ben has 600 lines open which Carol rewrites at once; `turn` runs in every turn that his page
 * gives to others until it shows all of it.
 */
async function rewritten(turn: (at: { ben: LiveDocument; ana: LiveDocument }) => void) {
  const { clock, backend, open } = world();
  let begun = Infinity;
  const pages: { ana?: LiveDocument; ben?: LiveDocument } = {};
  const append = (id: string, client: number, update: Uint8Array) =>
    backend.append("carol", stream, [
      {
        id,
        type: "document.edited",
        body: {},
        update: encodeEdits([{ update, time: 0 }]),
        clientIds: [client],
      },
    ]);
  const patient: Clock = {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    // A turn takes time, so that the others get on meanwhile.
    after: (delay, run) =>
      clock.after(Math.max(20, delay), () => {
        const { ana, ben } = pages;
        if (delay === 0 && ana && ben && ben.version > begun) turn({ ana, ben });
        run();
      }),
  };
  const carol = new Y.Doc();
  carol.clientID = 77;
  carol.getXmlFragment("default").insert(
    0,
    Array.from({ length: 600 }, (_, at) => paragraph(`<was ${at}>`)),
  );
  append("lines", 77, Y.encodeStateAsUpdate(carol));
  const ana = (pages.ana = open(backend.tab("ana", "1")));
  const ben = (pages.ben = open(backend.tab("ben", "1"), { clock: patient }));
  await clock.advance(30_000);
  const was = linesOf(ben);
  begun = ben.version;
  carol.clientID = 88;
  const before = Y.encodeStateVector(carol);
  carol.transact(() => rewrite(carol.getXmlFragment("default")));
  append("rewritten", 88, Y.encodeStateAsUpdate(carol, before));
  const now = linesOf({ fragment: carol.getXmlFragment("default") });
  await clock.advance(30_000);
  return { backend, ana, ben, was, now };
}

it("[SYNC-50] a large change comes in steps, each line at once, and what is typed between them stays", async () => {
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

it("[SYNC-50] what somebody writes meanwhile in a line that is yet to come is shown behind it", async () => {
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

it("[SYNC-50] a page that is made anew or closed between two steps loses nothing", async () => {
  let turns = 0;
  const anew = await rewritten(({ ben }) => {
    turns += 1;
    type(ben, "x", 0);
    if (turns === 3) ben.letGo();
  });
  expect(linesOf(anew.ben)).toEqual(anew.now);
  expect(textOf(anew.ben)).toBe(logText(anew.backend));
  expect(anew.ben.debug().page.rebuiltFor).toEqual(["discarded"]);
  let closed: Promise<void> | null = null;
  const gone = await rewritten(({ ben }) => {
    if (closed) return;
    type(ben, "x", 0);
    closed = ben.close();
  });
  await closed;
  expect(textOf(gone.ana)).toBe(logText(gone.backend));
  expect(textOf(gone.ana)).toContain("x");
  expect(fromLog(gone.backend).anomalies).toEqual([]);
});
