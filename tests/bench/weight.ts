import { launchBrowser } from "@/tests/support/product/browser";
import {
  scriptLimits,
  weighAll,
  weighHtml,
  weighUntil,
  weightOf,
  writableText,
} from "@/tests/support/script-weight";
import type { Script } from "@/tests/support/script-weight";
import { startStack } from "@/tests/support/product/stack";

function report(name: string, scripts: Script[], limit: number | null): boolean {
  const total = weightOf(scripts);
  const fits = limit === null || total <= limit;
  const limitWords = limit === null ? "" : `, limit ${limit / 1_000} KB${fits ? "" : " — OVER"}`;
  console.log(
    `${name}: ${(total / 1_000).toFixed(0)} KB gzipped in ${scripts.length} scripts${limitWords}`,
  );
  if (process.argv.includes("--scripts")) {
    for (const { name: script, bytes } of scripts.toSorted((one, other) => other.bytes - one.bytes))
      console.log(`  ${(bytes / 1_000).toFixed(1).padStart(6)} ${script}`);
  }
  return fits;
}

// `TEST_URL` names a running product, for work on a single page.
const running = process.env.TEST_URL;
const stack = running === undefined ? await startStack() : null;
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ baseURL: running ?? stack?.url ?? "" });
  const page = await context.newPage();
  await page.goto("/sign-up");
  await page.getByLabel("Name").fill("Ana");
  await page.getByLabel("Email").fill(`ana.${Date.now()}@example.com`);
  await page.getByLabel("Password").fill("a long enough passphrase");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.waitForURL(/\/w\/[0-9a-f-]{36}$/);
  const workspace = new URL(page.url()).pathname;
  await page.getByRole("button", { name: "New document" }).first().click();
  await page.waitForURL(/\/d\/[0-9a-f-]{36}/);
  await page.locator(writableText).waitFor();
  const document = new URL(page.url()).pathname;
  // Signed out, like the readers of this page.
  const stranger = await browser.newContext({ baseURL: running ?? stack?.url ?? "" });
  const fits = [
    report(
      "sign-in, in all",
      await weighAll(await stranger.newPage(), "/sign-in"),
      scriptLimits.signIn,
    ),
    report("workspace, until it can be used", await weighHtml(page, workspace), scriptLimits.lists),
    report("workspace, in all", await weighAll(await context.newPage(), workspace), null),
    report(
      "document, until it can be typed in",
      await weighUntil(await context.newPage(), document, writableText),
      scriptLimits.text,
    ),
  ];
  process.exitCode = fits.every(Boolean) ? 0 : 1;
} finally {
  await browser.close();
  await stack?.dispose();
}
