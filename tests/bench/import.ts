import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import type { Zippable } from "fflate";
import type { Page } from "playwright";
import sharp from "sharp";
import { z } from "zod";
import { documentById } from "@/events/read-models/document-rows";
import { launchBrowser } from "@/tests/support/product/browser";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";
import { blockedSince, blockedWords, watchMainThread } from "./figures/main-thread";
import { openSignedIn } from "./sessions/signed-in-page";

const megabytes = Number(process.env.MEGABYTES ?? 100);
const documents = Number(process.env.DOCUMENTS ?? 40);
/** The longest acceptable response to a key press, in ms. */
const most = { blocked: 200 };
const patience = 900_000;

/** Creates an incompressible image of about two megabytes. */
async function picture(): Promise<Uint8Array> {
  const raw = { width: 960, height: 720, channels: 3 } as const;
  const made = sharp(randomBytes(raw.width * raw.height * raw.channels), { raw });
  return made.png({ compressionLevel: 0 }).toBuffer();
}

/** Creates an archive like a notebook's export: texts in a folder, each with images. */
async function archive(): Promise<Uint8Array> {
  const files: Zippable = {};
  let [bytes, count] = [0, 0];
  const shown = Array.from({ length: documents }, (): string[] => []);
  while (bytes + 2_200_000 < megabytes * 1_000_000) {
    const image = await picture();
    const name = `picture-${count}.png`;
    files[`Pier/${name}`] = [image, { level: 0 }];
    shown[count % documents]?.push(`![Pile ${count}](${name})`);
    bytes += image.length;
    count += 1;
  }
  for (const [index, pictures] of shown.entries()) {
    const paragraphs = Array.from(
      { length: 40 },
      (_, line) => `Line ${line} of page ${index}. ${"The pier stands on forty piles. ".repeat(6)}`,
    );
    const text = [`# Page ${index}`, ...paragraphs, ...pictures].join("\n\n");
    files[`Pier/Page ${index}.md`] = [strToU8(text), { level: 6 }];
  }
  console.log(`  ${documents} documents with ${count} pictures`);
  return zipSync(files);
}

/** Types into the focused element until `holds` resolves, like a person who does not wait. */
async function typeUntil(page: Page, holds: Promise<void>): Promise<number> {
  let isOver = false;
  let pressed = 0;
  const ended = holds.finally(() => (isOver = true));
  ended.catch(() => undefined);
  for (; !isOver; pressed += 1) {
    await page.keyboard.press("Shift", { delay: 20 });
    await page.waitForTimeout(80);
  }
  await ended;
  return pressed;
}

const folder = await mkdtemp(join(tmpdir(), "palimpsest-import-"));
const file = join(folder, "notebook.zip");
const stack = await startStack();
const browser = await launchBrowser();
try {
  await writeFile(file, await archive());
  console.log(`  an archive of ${((await stat(file)).size / 1e6).toFixed(1)} MB`);
  const ana = await signUp(stack, "Ana");
  const first = await meet([ana]);
  const workspace = (await documentById(ana.client, first))?.workspaceId ?? "";
  const page = await openSignedIn(browser, stack, ana, first);
  await page.getByRole("link", { name: "All documents" }).click();
  await page.getByRole("button", { name: "Import", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import" });
  await watchMainThread(page);
  await blockedSince(page);
  const before = await typeUntil(page, page.waitForTimeout(3_000));
  const resting = await blockedSince(page);
  console.log(`  nothing going on (${before} keys): ${blockedWords(resting)}`);

  const isMet = ({ longest }: { longest: number }) => longest <= most.blocked;
  const list = dialog.getByRole("list", { name: "What comes in" });
  const refused = dialog.getByRole("alert");
  let begun = performance.now();
  await dialog.getByLabel("File to import").setInputFiles(file);
  const read = await typeUntil(page, list.or(refused).first().waitFor({ timeout: patience }));
  const reading = await blockedSince(page);
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`  read in ${seconds()} s (${read} keys): ${blockedWords(reading)}`);
  if (await refused.isVisible()) throw new Error(await refused.innerText());

  begun = performance.now();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  const listed = page.url();
  const come = page
    .waitForURL((url) => url.href !== listed, { timeout: patience, waitUntil: "commit" })
    .then(() => undefined);
  const keys = await typeUntil(page, Promise.race([come, refused.waitFor({ timeout: patience })]));
  const importing = await blockedSince(page);
  console.log(`  imported in ${seconds()} s (${keys} keys): ${blockedWords(importing)}`);
  if (await refused.isVisible()) throw new Error(await refused.innerText());
  const { data, error } = await ana.client.rpc("file_room", { workspace });
  if (error) throw error;
  const { bytes } = z.object({ bytes: z.number() }).parse(data);
  console.log(`  the workspace has ${(bytes / 1e6).toFixed(1)} MB of images now`);
  const met = isMet(reading) && isMet(importing);
  console.log(
    `  blocked at most ${most.blocked} ms at a stretch: ${met ? "met" : "MISSED"}; ` +
      `load ${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  if (!met) process.exitCode = 1;
} finally {
  await browser.close();
  await stack.dispose();
  await rm(folder, { recursive: true, force: true });
}
