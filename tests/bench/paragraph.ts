import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Page } from "playwright";
import { XmlElement, XmlText } from "yjs";
import { launchBrowser } from "@/tests/support/product/browser";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet, write } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { openSignedIn } from "./sessions/signed-in-page";

const sizes = (process.env.SIZES ?? "100,10000,50000,100000,200000,675000").split(",").map(Number);
const keys = Number(process.env.KEYS ?? 20);
const words = "The quick brown fox jumps over the lazy dog and then it goes home to sleep. ";
/** The limit, in ms, of the additional cost of a letter compared with a short paragraph. */
const limit = 50;

type Side = "writer" | "other";
type Numbers = Record<Side, { task: number[]; layout: number[] }>;

async function writeParagraph(
  stack: Stack,
  person: Awaited<ReturnType<typeof signUp>>,
  documentId: string,
  size: number,
): Promise<void> {
  const { live } = write(person, documentId);
  while (live.sync.getSnapshot().value.link !== "live") await delay(50);
  const paragraph = new XmlElement("paragraph");
  live.fragment.insert(0, [paragraph]);
  const text = new XmlText();
  paragraph.insert(0, [text]);
  const letters = words.repeat(Math.ceil(size / words.length)).slice(0, size);
  // Inserted in parts, as a long paste arrives: one update would exceed an event's limit.
  for (let at = 0; at < size; at += 60_000) text.insert(at, letters.slice(at, at + 60_000));
  await delay(200);
  while (live.sync.getSnapshot().context.pending > 0) await delay(50);
  await live.close();
}

/** Puts the caret into the paragraph, at this share of its length. */
async function begin(page: Page, share: number): Promise<void> {
  await page.evaluate((wanted) => {
    const text = document.querySelector<HTMLElement>(
      '[contenteditable=true][aria-label="Document text"]',
    );
    if (text === null) throw new Error("There is no text to be written in");
    text.focus();
    let left = Math.floor((text.textContent ?? "").length * wanted);
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const { length } = node.nodeValue ?? "";
      if (left <= length) {
        getSelection()?.collapse(node, left);
        break;
      }
      left -= length;
    }
  }, share);
  await delay(500);
}

/** Returns the CPU time of the page's main thread so far, and its layout part, in ms. */
async function spent(session: CDPSession): Promise<{ task: number; layout: number }> {
  const { metrics } = await session.send("Performance.getMetrics");
  const milliseconds = (wanted: string) =>
    1000 * (metrics.find(({ name }) => name === wanted)?.value ?? NaN);
  return { task: milliseconds("TaskDuration"), layout: milliseconds("LayoutDuration") };
}

async function measure(stack: Stack, size: number): Promise<Numbers> {
  const people = [await signUp(stack, "Ana"), await signUp(stack, "Ben")] as const;
  const documentId = await meet([...people]);
  await writeParagraph(stack, people[0], documentId, size);
  const browser = await launchBrowser();
  try {
    const pages = {
      writer: await openSignedIn(browser, stack, people[0], documentId),
      other: await openSignedIn(browser, stack, people[1], documentId),
    };
    const sides = ["writer", "other"] as const;
    const numbers: Numbers = { writer: { task: [], layout: [] }, other: { task: [], layout: [] } };
    const sessions = new Map<Side, CDPSession>();
    for (const side of sides) {
      const session = await pages[side].context().newCDPSession(pages[side]);
      await session.send("Performance.enable", { timeDomain: "threadTicks" });
      sessions.set(side, session);
      await begin(pages[side], side === "writer" ? 0.5 : 0.25);
    }
    const all = () => Promise.all([...sessions.values()].map(spent));
    for (let key = -3; key < keys; key += 1) {
      const before = await all();
      await pages.writer.keyboard.press("Z");
      await delay(500);
      const after = await all();
      // The first letters load code that an editor needs once.
      if (key < 0) continue;
      for (const [index, side] of sides.entries()) {
        numbers[side].task.push((after[index]?.task ?? NaN) - (before[index]?.task ?? NaN));
        numbers[side].layout.push((after[index]?.layout ?? NaN) - (before[index]?.layout ?? NaN));
      }
    }
    const heard = await pages.other.evaluate(
      () =>
        (document.querySelector('[aria-label="Document text"]')?.textContent ?? "").split("Z")
          .length - 1,
    );
    if (heard !== keys + 3) throw new Error(`${heard} of ${keys + 3} letters arrived.`);
    return numbers;
  } finally {
    await browser.close();
  }
}

const stack = await startStack();
try {
  console.log(
    `One person types ${keys} letters in the middle of a paragraph ` +
      `that both have open: what a letter costs each page,\nms of ` +
      "processor time of its own thread, with everything that follows " +
      "from it",
  );
  let short: Numbers | null = null;
  for (const size of sizes) {
    const load = (loadavg()[0] ?? NaN).toFixed(1);
    const numbers = await measure(stack, size);
    short ??= numbers;
    const line = (["writer", "other"] as const).map((side) => {
      const [middle, base] = [
        percentile(numbers[side].task, 0.5),
        percentile(short?.[side].task ?? [], 0.5),
      ];
      if (middle - base > limit) process.exitCode = 1;
      const layout = percentile(numbers[side].layout, 0.5).toFixed(1);
      return (
        `${side} p50 ${middle.toFixed(1)}, p95 ` +
        `${percentile(numbers[side].task, 0.95).toFixed(1)} ` +
        `(${(middle / base).toFixed(2)} of the shortest), layout ${layout}`
      );
    });
    console.log(`${size} letters: ${line.join("; ")}; load ${load}`);
  }
  if (process.exitCode === 1)
    console.error(`A letter in a long paragraph may take ${limit} ms more than in a short one.`);
} finally {
  await stack.dispose();
}
