import type { Page } from "playwright";
import { afterEach } from "vitest";
import { openPages } from "@/tests/support/browser";

// A run elsewhere leaves nothing behind but its words, so a test that fails says what stood in the open pages.
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const accounts = await Promise.all(openPages().map(accountOf));
  if (accounts.length > 0) throw new Error(`What the open pages showed:\n${accounts.join("\n")}`);
});

/**
 * Says of a page where it stands, what it shows, and which of its requests and scripts went wrong
 * or have no answer.
 */
export async function accountOf(page: Page): Promise<string> {
  const shown = page
    .locator("body")
    .innerText({ timeout: 2_000 })
    .catch(() => "(nothing)");
  const [words, requests, errors] = await Promise.all([shown, page.requests(), page.pageErrors()]);
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
    ...errors.map(String),
    ...trouble.slice(-10),
  ].join("\n  ");
}
