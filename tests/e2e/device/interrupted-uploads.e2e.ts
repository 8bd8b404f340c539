import { createHash, randomBytes } from "node:crypto";
import type { CDPSession } from "playwright";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bodyOf } from "@/events/core/recorded-body";
import { supabaseStore } from "@/events/log/store";
import { pageAs } from "@/tests/support/writers/pages";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { bringIn } from "@/tests/support/writers/writers";
import { drop, figures, isDrawn } from "../support/dropped-files";
import type { Given } from "../support/dropped-files";
import { newDocument, person, saved, shownId, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { closeContexts, sharedBrowser } from "../support/browser/shared-browser";

/** A separate product, because it is killed. */
let stack: Stack;
let ana: Person;
let ben: Person;
let network: CDPSession;

beforeAll(async () => {
  stack = await startStack();
  const browser = await sharedBrowser();
  [ana, ben] = [
    await person(browser, "Ana", "block", stack.url),
    await person(browser, "Ben", "block", stack.url),
  ];
  await bringIn(ana, ben, ana.workspace, "editor");
  const path = await newDocument(ana, "The pier");
  await text(ana.page).click();
  await ana.page.keyboard.type("It stands on forty piles.");
  await saved(ana.page);
  await ben.page.goto(path);
  await writable(ben.page).waitFor();
  network = await ana.context.newCDPSession(ana.page);
});
afterAll(async () => {
  await closeContexts();
  await stack.dispose();
});

/** An image that takes a while to upload and to re-encode. */
async function photograph(name: string): Promise<Given> {
  const [width, height] = [1600, 1200];
  const raw = { width, height, channels: 3 } as const;
  const made = sharp(randomBytes(width * height * raw.channels), { raw });
  return { name, type: "image/png", bytes: await made.png({ compressionLevel: 0 }).toBuffer() };
}

/** Limits this person's upload speed, in bytes per second; null removes the limit. */
const sendSlowly = (uploadThroughput: number | null) =>
  network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: uploadThroughput ?? -1,
  });

const uploading = (name: string) =>
  ana.page.getByRole("progressbar", { name: `Uploading ${name}` });

/** What the document was given under this file id, as every reader sees it. */
async function attached(file: string) {
  const rows = await supabaseStore(ben.client).read(shownId(ana.page), 0, 1_000);
  return rows.flatMap((row) =>
    row.subject.id === file ? (bodyOf(row, "file.attached") ?? []) : [],
  );
}

/** Waits until the nth image is drawn completely for the other person. */
async function isSeen(nth: number): Promise<void> {
  await expect.poll(() => isDrawn(ben.page, nth), { timeout: 120_000 }).toBe(true);
  await expect.poll(() => ana.page.getByRole("progressbar").count()).toBe(0);
  const file = (await figures(ben.page).nth(nth).getAttribute("data-file")) ?? "";
  const found = await attached(file);
  expect(found).toHaveLength(1);
  const answer = await (await pageAs(ben))(`${stack.url}/files/${file}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(found[0]?.sha256);
}

it("[FILE-31] an image resumes by itself after the product dies during its transfer, and others see it", async () => {
  await sendSlowly(250_000);
  await drop(ana.page, await photograph("pier.png"));
  const sent = async () => Number(await uploading("pier.png").getAttribute("aria-valuenow"));
  await figures(ben.page).waitFor();
  await expect.poll(sent).toBeGreaterThan(20);
  expect(await sent()).toBeLessThan(100);
  await stack.kill();
  await sendSlowly(null);
  await ana.page.getByText("Waits for a connection").waitFor();
  await stack.restart();
  await isSeen(0);
});

it("[FILE-31] an image resumes by itself after the product dies while checking it, and others see it", async () => {
  const prepared = ana.page.waitForRequest(
    (request) => request.method() === "PUT" && new URL(request.url()).pathname.startsWith("/d/"),
  );
  await drop(ana.page, await photograph("piles.png"));
  await prepared;
  await stack.kill();
  await ana.page.getByText("Waits for a connection").waitFor();
  await stack.restart();
  await isSeen(1);
});
