// Restores a revision of a long document while another person types into it. Measures whether it
// succeeds, and how long it blocks the page.
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Locator, Page } from "playwright";
import { launchBrowser } from "@/tests/support/product/browser";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { openSignedIn } from "./sessions/signed-in-page";
import { laySession, typingPage } from "./sessions/session-document";
import type { SessionDocument } from "./sessions/session-document";
import type { SessionName } from "./sessions/sessions";
import { taskWords, traceTasks } from "./figures/traced-tasks";

const name = (process.env.SESSION ?? "session-137k") as SessionName;
const rounds = Number(process.env.ROUNDS ?? 3);
const limit = 50;
/** How long the page is watched after the restore, in ms. */
const afterwards = 5000;

/** Opens the revision at this share of the history, in tenths. */
async function openRevision(page: Page, tenths: number): Promise<void> {
  await page.getByRole("button", { name: "History" }).click();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await slider.press(String(tenths));
  await page.getByRole("button", { name: "Restore this moment" }).waitFor();
}

/** Presses a button if it is visible and enabled. */
async function confirms(button: Locator): Promise<boolean> {
  if (!(await button.isVisible())) return false;
  return button.click({ timeout: 300 }).then(
    () => true,
    () => false,
  );
}

type Restored = { preview: number; recorded: number; confirmed: number };

/**
 * Restores the shown revision, and confirms every dialog. Elements are located by CSS selectors,
 * which cost the page little. A role locator checks every element in the page's own thread.
 */
async function restore(page: Page): Promise<Restored> {
  const begun = performance.now();
  await page.locator('button[aria-label="Restore this moment"]').click();
  const dialog = page.locator('[role="dialog"]');
  const button = dialog.locator("button", { hasText: /^Restore$/ });
  await dialog.locator('[aria-label="What will change"]').waitFor({ timeout: 120_000 });
  const preview = performance.now() - begun;
  // The history has markers with the name "Restored", too.
  const notices = page.locator('[role="region"][aria-label^="Notices"]');
  const done = notices.getByText("Restored", { exact: true });
  let confirmed = 0;
  const asked = performance.now();
  while (!(await done.isVisible())) {
    // If another edit arrived before the confirmation, the dialog appears again.
    if (await confirms(button)) confirmed += 1;
    await delay(50);
    if (performance.now() - asked > 120_000)
      throw new Error("The restore was not recorded in time");
  }
  const recorded = performance.now() - asked;
  await delay(afterwards);
  return { preview, recorded, confirmed };
}

async function measure(
  stack: Stack,
  browser: Browser,
  { accounts, documentId }: SessionDocument,
  round: number,
): Promise<void> {
  const [ana, ben] = accounts;
  if (!ana || !ben) throw new Error("The recording has fewer than two accounts");
  const page = await openSignedIn(browser, stack, ana, documentId);
  // A different revision each time, because restoring the current text changes nothing.
  await openRevision(page, round % 2 === 1 ? 5 : 3);
  const typist = await typingPage(browser, stack, ben, documentId);
  await delay(3000);
  const trace = await traceTasks(browser, { restores: page, types: typist.page });
  const restored = await restore(page);
  const { restores, types } = await trace.stop(10);
  await typist.stop();
  console.log(
    `  ${round}: preview after ` +
      `${(restored.preview / 1000).toFixed(1)} s, the present again ` +
      `${(restored.recorded / 1000).toFixed(1)} s after it was ` +
      `confirmed (${restored.confirmed} times)\n` +
      `     main thread: ${taskWords(restores, limit)}\n     of who types: ${taskWords(types, limit)}`,
  );
  if ([...restores, ...types].some(({ cpu }) => cpu > limit)) process.exitCode = 1;
  await page.context().close();
  await typist.page.context().close();
}

const stack = await startStack();
const browser = await launchBrowser();
try {
  const laid = await laySession(stack, name);
  if (!laid) console.log(`${name}: skipped, the recording is not here`);
  else {
    console.log(
      `${name}: ${laid.edits} edits; one person restores and ` +
        "another types 6 letters a second (load " +
        `${(loadavg()[0] ?? NaN).toFixed(1)})`,
    );
    for (let round = 1; round <= rounds; round += 1) await measure(stack, browser, laid, round);
    if (process.exitCode === 1)
      console.error(`A task of a main thread took more than ${limit} ms of processor time.`);
  }
} finally {
  await browser.close();
  await stack.dispose();
}
