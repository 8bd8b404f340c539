import type { Locator, Page } from "playwright";
import { afterEach } from "vitest";
import { openPages } from "@/tests/support/product/browser";

// A remote run leaves only its output, so a failed test describes the open pages.
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const accounts = await Promise.all(openPages().map(accountOf));
  if (accounts.length > 0) throw new Error(`What the open pages showed:\n${accounts.join("\n")}`);
});

/** The timeout of each question, so that an unresponsive page does not block its account. */
const patience = { timeout: 2_000 };

/** Returns a page's answer, or `otherwise` if the request fails or takes too long. */
function answered<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  const late = new Promise<T>((settle) => setTimeout(settle, patience.timeout, otherwise));
  return Promise.race([asked.catch(() => otherwise), late]);
}

/**
 * Describes a page: its address, its text, the focus, the selection, the layers over the text,
 * failed or unanswered requests, and script errors.
 */
export async function accountOf(page: Page): Promise<string> {
  const [words, focus, selected, layers, requests, errors] = await Promise.all([
    wordsOf(page),
    named(page.locator(":focus").first()),
    selectionIn(page),
    layersOver(page),
    page.requests(),
    page.pageErrors(),
  ]);
  const trouble = requests.flatMap((request) => {
    const what = `${request.method()} ${new URL(request.url()).pathname}`;
    const failure = request.failure();
    if (failure)
      return failure.errorText === "net::ERR_ABORTED" ? [] : [`${what}: ${failure.errorText}`];
    return request.existingResponse() === null ? [`${what}: no answer yet`] : [];
  });
  return [
    page.url(),
    words.replace(/\s+/g, " ").slice(0, 800),
    `focus: ${focus ?? "nothing"}`,
    `selected: ${selected}`,
    `open: ${layers.join(", ") || "nothing"}`,
    ...errors.map(String),
    ...trouble.slice(-10),
  ].join("\n  ");
}

/** Returns the text of the main region, or of the whole page without such a region. */
function wordsOf(page: Page): Promise<string> {
  const asked = page.evaluate(() => (document.querySelector("main") ?? document.body).innerText);
  return answered(asked, "(no answer)");
}

/**
 * Returns the role and accessible name of an element, such as `textbox "Title"`, or null without an
 * element.
 */
async function named(element: Locator): Promise<string | null> {
  if ((await answered(element.count(), 0)) === 0) return null;
  const tree = await answered(element.ariaSnapshot(patience), "");
  // The first line is the element itself, with a colon before any text.
  return /^- ([a-z]+(?: "(?:[^"\\]|\\.)*")?)/.exec(tree)?.[1] ?? "an element without a role";
}

async function selectionIn(page: Page): Promise<string> {
  const asked = page.evaluate(() => getSelection()?.toString() ?? "");
  const selected = await answered(asked, "");
  return selected === "" ? "nothing" : JSON.stringify(selected.slice(0, 80));
}

/** Returns the visible toolbars, dialogs, tooltips and menus. */
async function layersOver(page: Page): Promise<string[]> {
  const roles = ["toolbar", "dialog", "alertdialog", "tooltip", "menu", "listbox"] as const;
  const visible = (role: (typeof roles)[number]) =>
    page.getByRole(role).filter({ visible: true }).all();
  const found = await Promise.all(roles.map((role) => answered(visible(role), [])));
  const names = await Promise.all(found.flat().map(named));
  return names.filter((name) => name !== null);
}
