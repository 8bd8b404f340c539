import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import type { Page } from "playwright";
import { supabaseStore } from "@/events/log/store";
import { documentById } from "@/events/read-models/document-rows";
import { launchBrowser } from "@/tests/support/product/browser";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { metricsToken, serverIsIdle } from "./figures/server-metrics";
import { openSignedIn } from "./sessions/signed-in-page";

const documents = Number(process.env.DOCUMENTS ?? 1_000);
const rounds = Number(process.env.ROUNDS ?? 30);
const most = { milliseconds: 100 };
/** The timeout of a step, in ms. A step that takes longer has failed. */
const timeout = 60_000;

declare global {
  interface Window {
    benchKey?: { selector: string; pressed: number; drawn: number };
  }
}

/** Fills a document's workspace with other documents, some of them nested. */
async function fill(person: Person, document: string): Promise<void> {
  const workspaceId = (await documentById(person.client, document))?.workspaceId ?? "";
  const store = supabaseStore(person.client);
  const created = async (index: number) => {
    const body = { workspaceId, title: `Meeting ${index} about the roof` };
    const event = { id: randomUUID(), type: "document.created" as const, body };
    granted(await store.append(randomUUID(), 0, [event]));
  };
  const atOnce = 10;
  for (let index = 0; index < documents; index += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, documents - index) }, (_, n) => index + n);
    await Promise.all(batch.map(created));
    if ((index + atOnce) % 200 === 0) console.log(`  ${index + atOnce} documents made`);
  }
}

/**
 * Records in the page when a key was pressed, and when the result was drawn and focused. The script
 * starts before the first key, because a later request to the page could arrive too late. It is
 * text, because this file's loader adds helpers to functions that do not exist in the page.
 */
const watch = `(() => {
  const bench = { selector: "", pressed: 0, drawn: 0 };
  window.benchKey = bench;
  addEventListener("keydown", ({ timeStamp }) => {
    if (bench.selector !== "" && bench.pressed === 0) bench.pressed = timeStamp;
  }, { capture: true });
  const look = () => {
    const [rows, focus] = bench.selector.split(" | ");
    const isThere = bench.pressed > 0 && bench.drawn === 0 &&
      document.querySelector(rows) !== null && document.activeElement?.matches(focus) === true;
    if (isThere) {
      bench.drawn = -1;
      requestAnimationFrame(() => (bench.drawn = performance.now()));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

type Opened = {
  key: string;
  /** The selectors of the elements that must exist and that must have the focus. */
  rows: string;
  focus: string;
  /** Focuses the element where the key is pressed. */
  before: () => Promise<void>;
};

async function series(page: Page, name: string, { key, rows, focus, before }: Opened) {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await before();
    const selector = JSON.stringify(`${rows} | ${focus}`);
    await page.evaluate(`Object.assign(benchKey, { pressed: 0, drawn: 0, selector: ${selector} })`);
    await page.keyboard.press(key);
    // A function, because the page's CSP would not let a text run.
    await page.waitForFunction(() => (window.benchKey?.drawn ?? 0) > 0, undefined, { timeout });
    times.push(await page.evaluate<number>("benchKey.drawn - benchKey.pressed"));
    await page.keyboard.press("Escape");
    await page.locator(rows).first().waitFor({ state: "detached", timeout });
    if (round % 10 === 9) console.log(`  ${name}: ${round + 1} of ${rounds}`);
  }
  return times;
}

const timesWords = (times: readonly number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(0)}, p95 ${percentile(times, 0.95).toFixed(0)}, ` +
  `first ${times[0]?.toFixed(0)} ms`;

const stack = await startStack({ env: { METRICS_TOKEN: metricsToken } });
const browser = await launchBrowser();
try {
  const ana = await signUp(stack, "Ana");
  const document = await meet([ana]);
  await fill(ana, document);
  const page = await openSignedIn(browser, stack, ana, document);
  page.setDefaultTimeout(timeout);
  console.log("  the document is open");
  const text = page.getByRole("textbox", { name: "Document text" });
  await text.click();
  await page.keyboard.type("The roof leaks.");
  await page.evaluate(watch);
  // Indexing is not measured: people do not create this many documents at once.
  await serverIsIdle(stack.url);
  const account = page.getByRole("button", { name: /, your account$/ });
  const opened = {
    palette: {
      key: "Control+k",
      rows: "[cmdk-list] [role=option]",
      focus: "[cmdk-input]",
      before: () => text.focus(),
    },
    menu: {
      key: "Enter",
      rows: "[role=menu] [role^=menuitem]",
      focus: "[role=menu], [role^=menuitem]",
      before: () => account.focus(),
    },
  } satisfies Record<string, Opened>;
  const palette = await series(page, "palette", opened.palette);
  const menu = await series(page, "account menu", opened.menu);
  const slow = percentile(palette, 0.95);
  console.log(
    `a workspace of ${documents} documents, each opened ${rounds} times; load ` +
      (loadavg()[0] ?? NaN).toFixed(1),
  );
  console.log(`  each time: ${palette.map((time) => time.toFixed(0)).join(" ")}`);
  console.log(`  the palette, from its key to its rows, its field focused: ${timesWords(palette)}`);
  console.log(`  the account menu, likewise: ${timesWords(menu)}`);
  const ratio = percentile(palette, 0.5) / percentile(menu, 0.5);
  const isMet = slow < most.milliseconds;
  console.log(
    `  ratio of the medians ${ratio.toFixed(2)}; p95 of the palette below ` +
      `${most.milliseconds} ms: ${isMet ? "met" : "MISSED"}`,
  );
  if (!isMet) process.exitCode = 1;
} finally {
  await browser.close();
  await stack.dispose();
}
