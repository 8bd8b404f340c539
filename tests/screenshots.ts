// `npm run screenshots`: the images of the documents, taken from the demo workspace of a new data
// folder.
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import sharp from "sharp";
import { repack } from "./png-size";
import { launchBrowser } from "./support/product/browser";
import { startStack } from "./support/product/stack";

const folder = fileURLToPath(new URL("../docs/screenshots/", import.meta.url));
const size = { width: 1440, height: 900 };
const title = "When the library is open, from January";
const mostBytes = 250_000;
/** The replay: an image every few edits, shown for `delay` ms each, and the last one longer. */
const replay = {
  frames: 64,
  editsPerFrame: 3,
  width: 960,
  delay: 110,
  pause: 2_500,
  mostBytes: 1_500_000,
};

/** Saves a screenshot of the page in each theme; `before` recreates what disappears by itself. */
async function take(page: Page, name: string, before?: () => Promise<void>): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => document.fonts.ready);
    await before?.();
    const png = repack(await page.screenshot({ caret: "initial" }));
    if (png.length > mostBytes)
      throw new Error(
        `${name} in ${colorScheme} has ${png.length} bytes; more than ${mostBytes} is too heavy for a README.`,
      );
    await writeFile(`${folder}${name}-${colorScheme}.png`, png);
    console.log(`${name}-${colorScheme}.png, ${Math.round(png.length / 1000)} kB`);
  }
}

/** Saves an animation of a history in each theme. */
async function takeReplay(page: Page): Promise<void> {
  const slider = page.getByRole("slider", { name: "Moment" });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await slider.press("2");
    const frames: Buffer[] = [];
    for (let frame = 0; frame < replay.frames; frame += 1) {
      for (let edit = 0; edit < replay.editsPerFrame; edit += 1) await slider.press(".");
      await slider.blur();
      frames.push(
        await sharp(await page.screenshot())
          .resize(replay.width)
          .png()
          .toBuffer(),
      );
    }
    const delay = frames.map((_, index) =>
      index === frames.length - 1 ? replay.pause : replay.delay,
    );
    const webp = await sharp(frames, { join: { animated: true } })
      .webp({ delay, loop: 0, quality: 70, effort: 6, minSize: true })
      .toBuffer();
    if (webp.length > replay.mostBytes)
      throw new Error(
        `The replay in ${colorScheme} has ${webp.length} bytes; at most ${replay.mostBytes} fit a README.`,
      );
    await writeFile(`${folder}replay-${colorScheme}.webp`, webp);
    console.log(`replay-${colorScheme}.webp, ${Math.round(webp.length / 1000)} kB`);
  }
}

async function signIn(browser: Browser, baseURL: string, name: string): Promise<Page> {
  const context = await browser.newContext({ baseURL, viewport: size, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: `Continue as ${name}` }).waitFor();
  if (name === "Ana") await take(page, "sign-in");
  await page.getByRole("button", { name: `Continue as ${name}` }).click();
  await page.waitForURL(/\/w\//);
  return page;
}

async function openDocument(page: Page): Promise<void> {
  await page
    .getByRole("list", { name: /documents$/i })
    .getByRole("link", { name: title })
    .first()
    .click();
  await page.getByRole("textbox", { name: "Document text" }).waitFor();
  await page
    .getByRole("status")
    .filter({ hasText: /\bSaved\b/ })
    .first()
    .waitFor();
}

/** Puts the caret after some words, as a click there does. */
async function clickAfter(page: Page, words: string): Promise<void> {
  const box = await page
    .getByRole("textbox", { name: "Document text" })
    .evaluate((editor, needle) => {
      const walker = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(needle) ?? -1;
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(node, at + needle.length - 1);
        range.setEnd(node, at + needle.length);
        node.parentElement?.scrollIntoView({ block: "nearest" });
        const { right, top, height } = range.getBoundingClientRect();
        return { x: right, y: top + height / 2 };
      }
      return null;
    }, words);
  if (box === null) throw new Error(`The document does not say "${words}".`);
  await page.mouse.click(box.x, box.y);
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  const ana = await signIn(browser, url, "Ana");
  const ben = await signIn(browser, url, "Ben");
  await Promise.all([openDocument(ana), openDocument(ben)]);
  await ana.goBack();
  await ana.getByRole("list", { name: "People online" }).getByText("Ben").first().waitFor();
  await ana.mouse.move(size.width / 2, size.height - 50);
  await take(ana, "workspace");

  await openDocument(ana);
  await clickAfter(ana, "and what we ask of you.");
  await clickAfter(ben, "But eleven is not nobody.");
  const words = [" We know all of them", " by name."];
  await take(ana, "document", async () => {
    const typed = words.shift() ?? "";
    await ben.keyboard.type(typed);
    await ana.getByText(typed.trim()).waitFor();
  });

  await ana.getByRole("button", { name: "History" }).click();
  const slider = ana.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  await slider.press("5");
  await slider.blur();
  await ana.mouse.move(size.width / 2, size.height / 4);
  await take(ana, "history");
  await takeReplay(ana);
}

await mkdir(folder, { recursive: true });
const stack = await startStack({ env: { DEMO: "1" } });
const browser = await launchBrowser();
try {
  await takeAll(browser, stack.url);
} finally {
  await browser.close();
  await stack.dispose();
}
