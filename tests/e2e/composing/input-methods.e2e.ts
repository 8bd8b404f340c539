import type { Browser, CDPSession } from "playwright";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { decodeEdits } from "@/events/crdt/payload/payload";
import { insertedText } from "@/events/crdt/updates/inserted-text";
import { supabaseStore } from "@/events/log/store";
import { idleComposition, longestComposition } from "@/machines/sync/composing/open-compositions";
import { newDocument, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;
let keyboard: CDPSession;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben } = await sharedDocument(browser, { title: "Met", begun: "We", ended: " met" }));
  keyboard = await ana.context.newCDPSession(ana.page);
});

/** Ana's caret in a new line of both, after "Start ". */
beforeEach(async () => {
  await ana.page.goto("/");
  path = await newDocument(ana, "Composed");
  await writable(ana.page).click();
  await ana.page.keyboard.type("Start  end");
  await saved(ana.page);
  await ben.page.goto(path);
  await text(ben.page).getByText("Start").waitFor();
  await caretBehindStart(ana);
  const now = performance.now();
  Object.assign(composing, { begun: now, last: now, pause: 0 });
});

/** Puts the caret after "Start ". */
async function caretBehindStart({ page }: Person) {
  await writable(page).click();
  await page.keyboard.press("Control+Home");
  for (let at = 0; at < 6; at += 1) await page.keyboard.press("ArrowRight");
}

/** When the test began to compose and last composed, and the longest pause between two letters. */
const composing = { begun: 0, last: 0, pause: 0 };

function composed() {
  const now = performance.now();
  composing.pause = Math.max(composing.pause, now - composing.last);
  composing.last = now;
}

type Replaced = { replacementStart: number; replacementEnd: number };

/** Shows uncommitted letters in place of those before them. */
async function compose(words: string, replaced?: Replaced) {
  composed();
  await keyboard.send("Input.imeSetComposition", {
    text: words,
    selectionStart: words.length,
    selectionEnd: words.length,
    ...replaced,
  });
}

async function commit(words: string) {
  composed();
  await keyboard.send("Input.insertText", { text: words });
}

/** The log's current words, a line per block, and every letter that it has ever held. */
async function logged(): Promise<{ words: string; ever: string }> {
  const rows = await supabaseStore(ana.client).read(path.slice("/d/".length), 0);
  const confirmed = new ConfirmedDocument(null);
  for (const row of rows) confirmed.integrate(row);
  const blocks = confirmed.doc.getXmlFragment("default").toArray();
  return {
    words: blocks.map((block) => String(block).replace(/<[^>]+>/g, "")).join("\n"),
    ever: rows
      .flatMap(({ update, clientTime }) =>
        update ? decodeEdits(update, Date.parse(clientTime)) : [],
      )
      .map(({ update }) => insertedText(update))
      .join(""),
  };
}

/** The letters that a page shows; another person's caret may add a space. */
const lettersOf = async ({ page }: Person) => (await text(page).innerText()).replace(/\s+/g, "");

const sorted = (words: string) => [...words.replace(/\s+/g, "")].sort().join("");

/** Expects that the log has never held other letters than these. */
function isAllEverWritten(ever: string, words: string) {
  const { begun, last, pause } = composing;
  // Slower compositions are recorded as they stand.
  if (pause < idleComposition && last - begun < longestComposition)
    expect(sorted(ever)).toBe(sorted(words));
}

/** Both pages and the log hold these words, and the log has never held other letters. */
async function stands(words: string, alsoWritten: string) {
  for (const person of [ana, ben])
    await expect.poll(() => lettersOf(person)).toBe(words.replace(/\s+/g, ""));
  await Promise.all([saved(ana.page), saved(ben.page)]);
  const log = await logged();
  expect(log.words).toBe(words);
  isAllEverWritten(log.ever, words + alsoWritten);
}

/** What input methods show, step by step, and what they finally commit. */
const languages: [name: string, steps: (string | { commit: string })[], result: string][] = [
  [
    "Japanese",
    ["に", "にほ", "にほん", "にほんご", "日本ご", "日本語", { commit: "日本語" }],
    "日本語",
  ],
  ["Chinese", ["z", "zh", "zhong", "zhong'g", "zhong'guo", { commit: "中国" }], "中国"],
  ["Korean", ["ㅎ", "하", "한", { commit: "한" }, "ㄱ", "그", "글", { commit: "글" }], "한글"],
  [
    "Korean whose last consonant moves on",
    ["한", "하", { commit: "하" }, "나", { commit: "나" }],
    "하나",
  ],
  ["a dead key", ["´", { commit: "é" }], "é"],
  ["a keyboard that corrects", ["t", "te", "teh", "the", { commit: "the" }], "the"],
  ["letters that are taken back", ["a", "ab", "a", "", { commit: "x" }], "x"],
];

async function enter(steps: (string | { commit: string })[], between: () => Promise<unknown>) {
  for (const step of steps) {
    if (typeof step === "string") await compose(step);
    else await commit(step.commit);
    await between();
  }
}

describe("a composition of an input method", () => {
  it.each(languages)(
    "[WRITE-41] [WRITE-42] appears once while another person types there: %s",
    async (_name, steps, result) => {
      await caretBehindStart(ben);
      let letters = "";
      await enter(steps, async () => {
        const letter = String.fromCharCode(65 + letters.length);
        letters += letter;
        await ben.page.keyboard.type(letter);
        await expect.poll(() => lettersOf(ben)).toContain(letter);
      });
      // If both write after the same letter at the same time, either may come first.
      await expect.poll(() => lettersOf(ana)).toContain(letters.slice(-1));
      await ana.page.keyboard.type(".");
      await expect.poll(() => lettersOf(ana)).toContain(".");
      await expect.poll(async () => (await lettersOf(ana)) === (await lettersOf(ben))).toBe(true);
      const shown = await text(ana.page).innerText();
      expect(shown).toContain(`${result}.`);
      expect(sorted(shown)).toBe(sorted(`Start ${result}.${letters} end`));
      await Promise.all([saved(ana.page), saved(ben.page)]);
      const log = await logged();
      expect(sorted(log.words)).toBe(sorted(shown));
      isAllEverWritten(log.ever, shown);
    },
  );

  it("[WRITE-41] replaces a committed word that was being written", async () => {
    await ana.page.keyboard.type("teh");
    await saved(ana.page);
    await compose("the", { replacementStart: 6, replacementEnd: 9 });
    await commit("the");
    await ana.page.keyboard.type(" ");
    await stands("Start the  end", "eh");
  });

  it("[WRITE-41] accepts Enter right after it", async () => {
    await enter(["に", "にほん", { commit: "日本" }], () => Promise.resolve());
    await ana.page.keyboard.press("Enter");
    await ana.page.keyboard.type("On.");
    // The text after the caret is written again in the new line.
    await stands("Start 日本\nOn. end", "end");
  });

  it("[WRITE-42] is committed as shown when left while another person types there", async () => {
    await compose("に");
    await compose("にほ");
    await caretBehindStart(ben);
    await ben.page.keyboard.type("BEN");
    await expect.poll(() => lettersOf(ana), { timeout: 60_000 }).toContain("BEN");
    await ana.page.keyboard.type(".");
    await expect.poll(() => lettersOf(ana)).toContain("にほ.");
    const shown = await text(ana.page).innerText();
    expect(sorted(shown)).toBe(sorted("Start BENにほ. end"));
    await expect.poll(async () => (await lettersOf(ben)) === (await lettersOf(ana))).toBe(true);
    await Promise.all([saved(ana.page), saved(ben.page)]);
    expect(sorted((await logged()).ever)).toBe(sorted(shown));
  });
});
