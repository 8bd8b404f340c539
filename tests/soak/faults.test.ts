import { execFileSync } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import {
  newDocument,
  person,
  saved,
  saveStatus,
  shownId,
  text,
  writable,
} from "@/tests/e2e/support/person";
import type { Person } from "@/tests/e2e/support/person";
import { launchBrowser } from "@/tests/support/product/browser";
import { service } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { bringIn } from "@/tests/support/writers/writers";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/** The folder for screenshots of each fault; none are taken if it is not set. */
const pictures = process.env["PICTURES"];
const random = seededRandom(seed);
const pause = (time: number) => new Promise<void>((resolve) => setTimeout(resolve, time));
const root = "default";

let stack: Stack;
let browser: Browser;
let ana: Person;
let ben: Person;
const errors: string[] = [];

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
  ana = await person(browser, "Ana", "block", stack.url);
  ben = await person(browser, "Ben", "block", stack.url);
  for (const { name, page } of [ana, ben]) {
    page.on("pageerror", (error) => errors.push(`${name}: ${String(error)}`));
    // The device is full while the test sets `deviceFull`.
    await page.addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...args) {
        if (Reflect.get(window, "deviceFull") === true)
          throw new DOMException("full", "QuotaExceededError");
        return put.apply(this, args);
      };
    });
  }
});

afterAll(async () => {
  await browser?.close();
  await stack?.dispose();
});

/** Sends a signal to the database server and its child processes. */
async function signalDatabase(signal: "STOP" | "CONT"): Promise<void> {
  const [pid = ""] = (
    await readFile(join(stack.dataDir, "postgres", "cluster", "postmaster.pid"), "utf8")
  ).split("\n");
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", pid], { encoding: "utf8" })
    .split(/\s+/)
    .filter(Boolean);
  for (const each of [pid, ...children]) {
    try {
      process.kill(Number(each), `SIG${signal}`);
    } catch {
      // A connection's process that has ended meanwhile.
    }
  }
}

type Fault = { begin(who: Person): Promise<void>; end(who: Person): Promise<void>; shows: RegExp };

const setFull = (who: Person, full: boolean) =>
  who.page.evaluate((full) => void Reflect.set(window, "deviceFull", full), full);

const faults: Record<string, Fault> = {
  "the network goes": {
    begin: ({ context }) => context.setOffline(true),
    end: ({ context }) => context.setOffline(false),
    shows: /Saving…|Offline/,
  },
  "the database hangs": {
    begin: () => signalDatabase("STOP"),
    end: () => signalDatabase("CONT"),
    shows: /Saving…|Offline|Not saved/,
  },
  "the server is killed": {
    begin: () => stack.kill(),
    end: () => stack.restart(),
    shows: /Saving…|Offline|Not saved/,
  },
  "the device is full": {
    begin: (who) => setFull(who, true),
    end: (who) => setFull(who, false),
    shows: /Sav/,
  },
  "the log refuses to answer": {
    begin: async ({ context }) => {
      await context.route("**/rest/v1/rpc/append_events*", (route) =>
        route.fulfill({ status: 503, body: "{}" }),
      );
    },
    end: ({ context }) => context.unroute("**/rest/v1/rpc/append_events*"),
    shows: /Saving…|Not saved/,
  },
  "broadcasts are lost": {
    begin: ({ page }) =>
      page.evaluate(() => {
        const { send } = WebSocket.prototype;
        Reflect.set(window, "sends", send);
        WebSocket.prototype.send = () => undefined;
      }),
    end: ({ page }) =>
      page.evaluate(
        () => void Reflect.set(WebSocket.prototype, "send", Reflect.get(window, "sends")),
      ),
    shows: /Sav|Offline/,
  },
};

type Typist = {
  who: Person;
  mark: string;
  typed: number;
  seenHeads: { typed: number; at: number }[];
  labels: Set<string>;
};

/** The label after everything typed before has been painted. */
async function labelOf(page: Page): Promise<string> {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  return saveStatus(page).innerText();
}

async function look(typist: Typist): Promise<void> {
  const { typed } = typist;
  const label = await labelOf(typist.who.page);
  typist.labels.add(label);
  if (label === "Saved") typist.seenHeads.push({ typed, at: Date.now() });
}

async function write(typist: Typist, going: () => boolean): Promise<void> {
  while (going()) {
    await typist.who.page.keyboard.type(`${typist.mark}${typist.typed}. `, { delay: 15 });
    typist.typed += 1;
    await look(typist);
    // Now and then a typist pauses.
    for (let thought = random.below(8) === 0 ? 12 : 0; thought > 0; thought -= 1) {
      await pause(250);
      await look(typist);
    }
    await pause(random.below(120));
  }
}

const shown = ({ page }: Person) =>
  text(page).evaluate((element) => {
    const copy = element.cloneNode(true);
    if (!(copy instanceof Element)) throw new Error("the text is no element");
    for (const caret of copy.querySelectorAll(".caret")) caret.remove();
    return [...copy.children].map((block) => block.textContent).join("\n");
  });

const textIn = (doc: Y.Doc) =>
  doc
    .getXmlFragment(root)
    .toArray()
    .map((block) => (block instanceof Y.XmlElement ? block.toArray().join("") : ""))
    .join("\n");

/** The words of one typist, in the order of a text. */
const wordsOf = (mark: string, text: string) =>
  [...text.matchAll(new RegExp(`${mark}(\\d+)\\.`, "g"))].map(([, number]) => Number(number));

async function picture(name: string, page: Page): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name.replaceAll(" ", "-")}.png`) });
}

test(
  "[SYNC-2] [SYNC-40] two people write on in their pages through every " +
    `fault, and "Saved" is said of nothing that the log lacks (seed ${seed})`,
  { timeout: 900_000 },
  async () => {
    await bringIn(ana, ben, ana.workspace, "editor");
    const path = await newDocument(ana, "Through the storm");
    await text(ana.page).click();
    await ana.page.keyboard.type("Ana: \nBen: ");
    await saved(ana.page);
    await ben.page.goto(path);
    await writable(ben.page).click();
    await text(ben.page).getByText("Ben:").waitFor();
    await ben.page.keyboard.press("ControlOrMeta+End");
    await ana.page.keyboard.press("ControlOrMeta+Home");
    await ana.page.keyboard.press("End");
    const typists = [ana, ben].map((who): Typist => ({
      who,
      mark: who === ana ? "a" : "b",
      typed: 0,
      seenHeads: [],
      labels: new Set(),
    }));
    let writing = true;
    const loops = typists.map((typist) => write(typist, () => writing));
    const order = Object.entries(faults)
      .flatMap((entry) => [ana, ben].map((who) => [...entry, who] as const))
      .sort(() => random.unit() - 0.5);
    for (const [index, [name, fault, who]] of order.entries()) {
      const typist = typists.find((each) => each.who === who);
      const before = typists.map(({ typed }) => typed);
      typist?.labels.clear();
      console.log(`${name}, for ${who.name}, at ${before.join(" and ")} words`);
      await fault.begin(who);
      await pause(3_000 + random.below(9_000));
      await who.page.emulateMedia({ colorScheme: index % 2 === 0 ? "light" : "dark" });
      for (const each of [ana, ben])
        await picture(`${index} ${name}, for ${who.name}, seen by ${each.name}`, each.page);
      await fault.end(who);
      // Both kept writing meanwhile, and saw the status.
      await expect
        .poll(() => typists.every(({ typed }, index) => typed > (before[index] ?? 0) + 3), {
          message: `${name}: writing stopped`,
        })
        .toBe(true);
      expect(
        [...(typist?.labels ?? [])].some((label) => fault.shows.test(label)),
        `${name}: ${[...(typist?.labels ?? [])].join(", ")}`,
      ).toBe(true);
      const seenHeads = typists.map((each) => each.seenHeads.length);
      await expect
        .poll(
          () => typists.every((each, index) => each.seenHeads.length > (seenHeads[index] ?? 0)),
          { message: `after ${name}: never saved again`, timeout: 120_000 },
        )
        .toBe(true);
    }
    writing = false;
    await Promise.all(loops);
    await Promise.all([saved(ana.page), saved(ben.page)]);

    const fold = new ConfirmedDocument(null);
    const loggedAt = new Map(typists.map(({ mark }) => [mark, new Map<number, number>()]));
    for (const row of await supabaseStore(service(stack)).read(shownId(ana.page), 0)) {
      fold.integrate(row);
      const now = textIn(fold.doc);
      for (const [mark, times] of loggedAt)
        for (const word of wordsOf(mark, now))
          if (!times.has(word)) times.set(word, Date.parse(row.recordedAt));
    }
    expect(fold.anomalies).toEqual([]);
    const logged = textIn(fold.doc);
    for (const { mark, typed, seenHeads } of typists) {
      expect(wordsOf(mark, logged)).toEqual(Array.from({ length: typed }, (_, index) => index));
      const times = loggedAt.get(mark);
      const early = seenHeads.flatMap(({ typed, at }) =>
        Array.from({ length: typed }, (_, word) => word)
          .filter((word) => (times?.get(word) ?? Infinity) > at)
          .map((word) => `${mark}${word} at ${at}`),
      );
      expect(early).toEqual([]);
      expect(seenHeads.length).toBeGreaterThan(order.length);
    }
    await expect.poll(() => shown(ana)).toBe(logged);
    await expect.poll(() => shown(ben)).toBe(logged);
    expect(errors).toEqual([]);
    for (const { name, page } of [ana, ben]) await picture(`end, ${name}`, page);
  },
);
