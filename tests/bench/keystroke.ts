import { fork } from "node:child_process";
import { once } from "node:events";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { launchBrowser } from "@/tests/support/product/browser";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { openSignedIn } from "./sessions/signed-in-page";

const seconds = Number(process.env.SECONDS ?? 20);
const perSecond = 6;
const letters = ["x", "y"] as const;
type Letter = (typeof letters)[number];
type Kind = "bare" | "ours";
type Typist = { kind: Kind; page: Page; letter: Letter; other: Letter };

/**
 * Records in the page when each own letter was pressed, and when each letter of the other person
 * was in the DOM, in ms since the epoch.
 */
async function watch(page: Page, letter: Letter, other: Letter): Promise<void> {
  // The compiler wraps named functions in a helper that does not exist in the page.
  await page.evaluate("globalThis.__name = (named) => named");
  await page.evaluate(
    ([own, others]) => {
      const now = (at = performance.now()) => performance.timeOrigin + at;
      const pressed: number[] = [];
      const seen: number[] = [];
      Object.assign(window, { benchTimes: { pressed, seen } });
      addEventListener(
        "keydown",
        (event) => event.key === own && pressed.push(now(event.timeStamp)),
        true,
      );
      addEventListener("heard", () => seen.push(now()));
      const text = document.querySelector("[contenteditable=true]");
      if (text === null) return;
      const look = () => {
        const count = (text.textContent ?? "").split(others ?? "").length - 1;
        while (seen.length < count) seen.push(now());
      };
      new MutationObserver(look).observe(text, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    },
    [letter, other],
  );
}

async function openOurs(browser: Browser, stack: Stack): Promise<Typist[]> {
  const people = [await signUp(stack, "Ana"), await signUp(stack, "Ben")];
  const documentId = await meet(people);
  const pages: Page[] = [];
  for (const person of people) pages.push(await openSignedIn(browser, stack, person, documentId));
  const text = (page: Page | undefined) => page?.getByRole("textbox", { name: "Document text" });
  await text(pages[0])?.click();
  await pages[0]?.keyboard.type("One\nTwo");
  await text(pages[1])?.getByText("Two").waitFor();
  await text(pages[1])?.getByText("Two").click();
  await pages[1]?.keyboard.press("End");
  await pages[0]?.keyboard.press("ArrowUp");
  await pages[0]?.keyboard.press("End");
  return typists("ours", pages);
}

async function openBare(browser: Browser, port: number): Promise<Typist[]> {
  const pages = [
    await (await browser.newContext()).newPage(),
    await (await browser.newContext()).newPage(),
  ];
  for (const page of pages) {
    await page.goto(`http://127.0.0.1:${port}`);
    await page.waitForFunction(() => document.title === "open");
    await page.getByRole("textbox").click();
  }
  return typists("bare", pages);
}

function typists(kind: Kind, pages: Page[]): Typist[] {
  return pages.map((page, index) => ({
    kind,
    page,
    letter: letters[index] ?? "x",
    other: letters[1 - index] ?? "y",
  }));
}

/** Types for a while at fixed times, so that a slow response does not delay the next press. */
async function type({ page, letter }: Typist, offset: number): Promise<void> {
  const begun = performance.now();
  for (let stroke = 0; stroke < seconds * perSecond; stroke += 1) {
    const jitter = ((stroke * 7919 + offset * 104_729) % 100) / 100;
    await delay(
      Math.max(
        0,
        begun + ((stroke + jitter * 0.5 + offset / 4) * 1000) / perSecond - performance.now(),
      ),
    );
    await page.keyboard.press(letter);
  }
}

async function times(page: Page): Promise<{ pressed: number[]; seen: number[] }> {
  // `watch` above sets these in the same page.
  return page.evaluate(
    () => (window as unknown as { benchTimes: { pressed: number[]; seen: number[] } }).benchTimes,
  );
}

async function latencies(pair: Typist[]): Promise<number[]> {
  const noted = await Promise.all(pair.map(({ page }) => times(page)));
  return noted.flatMap(({ pressed }, index) => {
    const { seen } = noted[1 - index] ?? { seen: [] };
    if (pressed.length === 0 || seen.length !== pressed.length)
      throw new Error(`${seen.length} of ${pressed.length} letters arrived.`);
    return pressed.map((at, stroke) => (seen[stroke] ?? NaN) - at);
  });
}

const bare = fork(fileURLToPath(new URL("./servers/bare-server.ts", import.meta.url)), {
  execArgv: ["--import", "tsx"],
});
const [port] = await once(bare, "message");
const stack = await startStack();
const browser = await launchBrowser();
try {
  const pairs = [await openOurs(browser, stack), await openBare(browser, Number(port))];
  const all = pairs.flat();
  for (const { page, letter, other } of all) await watch(page, letter, other);
  const before = loadavg()[0] ?? NaN;
  await Promise.all(all.map(type));
  await delay(1500);
  console.log(
    "Key pressed in one window to letter in the DOM of the other, ms: both people " +
      `type ${perSecond} letters a second for ${seconds} s, in both pairs at once`,
  );
  console.log(
    `(load of the machine before: ${before.toFixed(1)}, after: ${(loadavg()[0] ?? NaN).toFixed(1)})`,
  );
  const measured: Partial<Record<Kind, number[]>> = {};
  for (const pair of pairs) {
    const kind = pair[0]?.kind ?? "ours";
    const values = (measured[kind] = await latencies(pair));
    const line = [0.5, 0.95, 0.99]
      .map((share) => `p${share * 100} ${percentile(values, share).toFixed(1)}`)
      .join("  ");
    console.log(
      `${kind === "ours" ? "Palimpsest" : "bare relay into a text area"}: ${line}  (${values.length} letters)`,
    );
  }
  const ratio = (share: number) =>
    (percentile(measured.ours ?? [], share) / percentile(measured.bare ?? [], share)).toFixed(2);
  console.log(`ratio: p50 ${ratio(0.5)}  p95 ${ratio(0.95)}  p99 ${ratio(0.99)}`);
  const p95 = percentile(measured.ours ?? [], 0.95);
  if (!(p95 <= 250)) {
    console.error(`p95 is ${p95.toFixed(0)} ms; it must be at most 250 ms.`);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  await stack.dispose();
  bare.disconnect();
}
