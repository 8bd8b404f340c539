import type { Browser } from "playwright";
import type { Person } from "@/tests/support/writers/people";
import type { Stack } from "@/tests/support/product/stack";

/**
 * Milliseconds from requesting a document until its text is visible, and until it can be edited.
 */
export type Opening = { read: number; typed: number; bytes: number };

/** Opens a document in a new window with cached scripts, and times it by the page's own clock. */
export async function openTimed(
  browser: Browser,
  cookies: Awaited<ReturnType<typeof signedInState>>,
  stack: Pick<Stack, "url">,
  id: string,
): Promise<Opening> {
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport: { width: 1200, height: 800 },
    storageState: cookies,
  });
  const page = await context.newPage();
  // The compiler wraps named functions in a helper that does not exist in the page.
  await page.addInitScript("globalThis.__name = (named) => named");
  // The scripts are cached, as for a person who opens one document after another.
  await page.goto("/account");
  await page.addInitScript(() => {
    const times = { read: 0, typed: 0 };
    Object.assign(window, { benchTimes: times });
    const look = () => {
      const text = document.querySelector('[aria-label="Document text"]');
      if (text && text.children.length > 0 && times.read === 0) times.read = performance.now();
      if (text?.getAttribute("contenteditable") === "true" && times.typed === 0)
        times.typed = performance.now();
      if (times.typed === 0) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  // Does not wait for images, which load after the measured text.
  await page.goto(`/d/${id}`, { waitUntil: "commit" });
  await page.waitForFunction(
    () => (window as unknown as { benchTimes: { typed: number } }).benchTimes.typed > 0,
    undefined,
    { timeout: 120_000 },
  );
  const opening = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType("navigation");
    const bytes =
      navigation instanceof PerformanceNavigationTiming ? navigation.encodedBodySize : 0;
    // The script above sets these in the same page.
    return {
      ...(window as unknown as { benchTimes: { read: number; typed: number } }).benchTimes,
      bytes,
    };
  });
  await context.close();
  return opening;
}

/** Returns the browser state of a person who has signed in through the form. */
export async function signedInState(
  browser: Browser,
  stack: Pick<Stack, "url">,
  person: Pick<Person, "email" | "password">,
) {
  const context = await browser.newContext({ baseURL: stack.url });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/(w\/|$)/);
  const state = await context.storageState();
  await context.close();
  return state;
}
