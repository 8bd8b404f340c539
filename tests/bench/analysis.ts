// Opens authorship on a long document while another person types into it. Measures whether it
// opens, and how long it blocks the page.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright";
import { launchBrowser } from "@/tests/support/product/browser";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { openSignedIn } from "./sessions/signed-in-page";
import { laySession, typingPage } from "./sessions/session-document";
import type { SessionDocument } from "./sessions/session-document";
import type { SessionName } from "./sessions/sessions";
import { taskWords, traceTasks } from "./figures/traced-tasks";

const name = (process.env.SESSION ?? "session-1m") as SessionName;
const rounds = Number(process.env.ROUNDS ?? 3);
/** How long authorship stays open and follows the typing, in seconds. */
const seconds = Number(process.env.SECONDS ?? 25);
const limit = 50;
const folder = join(tmpdir(), "palimpsest-bench", `analysis-${name}`);
/** The document and the accounts that may edit it, stored beside the data. */
const notes = `${folder}.json`;

async function kept(stack: Stack): Promise<SessionDocument | null> {
  // The cast is safe, because this program writes the file.
  if (existsSync(notes)) return JSON.parse(readFileSync(notes, "utf8")) as SessionDocument;
  const laid = await laySession(stack, name);
  if (laid) writeFileSync(notes, JSON.stringify(laid));
  return laid;
}

// Located by CSS selectors, which cost the page little. A role locator checks every element in the
// page's own thread.
async function openAuthorship(page: Page): Promise<number> {
  const begun = performance.now();
  await page.locator('button[aria-label="More"]').click();
  await page.locator('[role="menuitem"]', { hasText: "Authors" }).click();
  const authors = page.locator('section[aria-label="Authors"]');
  for (const person of ["Ana", "Ben", "Carol", "Dan"])
    await authors.locator("tr", { hasText: person }).first().waitFor({ timeout: 120_000 });
  await authors.locator("li").first().waitFor({ timeout: 120_000 });
  return performance.now() - begun;
}

async function benchAnalysis(): Promise<void> {
  const stack = await startStack({ dataDir: folder });
  const browser = await launchBrowser();
  try {
    const laid = await kept(stack);
    if (!laid) return console.log(`${name}: skipped, the recording is not here`);
    const { accounts, documentId, edits } = laid;
    const [ana, ben] = accounts;
    if (!ana || !ben) throw new Error("The recording has fewer than two accounts");
    console.log(
      `${name}: ${edits} edits; one person opens authorship and another ` +
        `types 6 letters a second (load ${(loadavg()[0] ?? NaN).toFixed(1)})`,
    );
    for (let round = 1; round <= rounds; round += 1) {
      const typist = await typingPage(browser, stack, ben, documentId);
      const page = await openSignedIn(browser, stack, ana, documentId);
      // Opening the document is a separate measurement.
      await delay(5000);
      const opens = await traceTasks(browser, { page });
      const took = await openAuthorship(page);
      const opening = (await opens.stop(10)).page;
      const follows = await traceTasks(browser, { page });
      await delay(seconds * 1000);
      const following = (await follows.stop(10)).page;
      const words = await typist.stop();
      await page.getByText(words.slice(-20)).first().waitFor();
      console.log(
        `  ${round}: open after ${(took / 1000).toFixed(1)} s\n     main thread until then: ` +
          `${taskWords(opening, limit)}\n     in ${seconds} s after it: ${taskWords(following, limit)}`,
      );
      if ([...opening, ...following].some(({ cpu }) => cpu > limit)) process.exitCode = 1;
      await page.context().close();
      await typist.page.context().close();
    }
    if (process.exitCode === 1)
      console.error(`A task of the main thread took more than ${limit} ms of processor time.`);
  } finally {
    await browser.close();
    await stack.stop();
  }
}

await benchAnalysis();
