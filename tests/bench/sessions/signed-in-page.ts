import type { Browser, Page } from "playwright";
import type { Person } from "@/tests/support/writers/people";
import type { Stack } from "@/tests/support/product/stack";

/**
 * Opens a new browser context in which a person signs in through the form and opens a document for
 * editing.
 */
export async function openSignedIn(
  browser: Browser,
  stack: Pick<Stack, "url">,
  person: Pick<Person, "email" | "password">,
  documentId: string,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 1200, height: 800 },
  });
  // A document of a million edits is slow on a busy machine.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await page.goto(`/sign-in?next=/d/${documentId}`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(`**/d/${documentId}`);
  await page.getByRole("textbox", { name: "Document text" }).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /\bSaved\b/ })
    .first()
    .waitFor();
  return page;
}
