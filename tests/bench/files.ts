import { createHash, randomBytes, randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Request } from "playwright";
import sharp from "sharp";
import * as Y from "yjs";
import { schemaVersion } from "@/events/content/schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { documentById } from "@/events/read-models/document-rows";
import { launchBrowser } from "@/tests/support/product/browser";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { openTimed, signedInState } from "./sessions/timed-opening";
import type { Opening } from "./sessions/timed-opening";

const images = Number(process.env.IMAGES ?? 200);
const rounds = Number(process.env.ROUNDS ?? 9);
const most = { ratio: 1.1 };
const size = { width: 2400, height: 1800 };
/** The number of images drawn. The others are copies with different bytes after their end. */
const drawn = 4;

type Picture = { whole: Buffer; previews: { width: number; bytes: Buffer }[] };

/** Creates a noise image as large as a camera's photograph, and as hard to compress. */
async function picture(): Promise<Picture> {
  const raw = { ...size, channels: 3 } as const;
  const noise = sharp(randomBytes(size.width * size.height * raw.channels), { raw });
  const previews = [640, 1280].map(async (width) => ({
    width,
    bytes: await noise.clone().resize({ width }).webp({ quality: 60, effort: 0 }).toBuffer(),
  }));
  const whole = await noise.clone().jpeg({ quality: 93 }).toBuffer();
  return { whole, previews: await Promise.all(previews) };
}

/** Stores images as settling an upload does, attaches them to a document, returns their ids. */
async function attach(stack: Stack, ana: Person, document: string): Promise<string[]> {
  const bucket = service(stack).storage.from("files");
  const workspace = (await documentById(ana.client, document))?.workspaceId ?? "";
  const put = async (name: string, bytes: Buffer, contentType: string) => {
    const body = new Blob([new Uint8Array(bytes)], { type: contentType });
    const { error } = await bucket.upload(name, body, { contentType, upsert: true });
    if (error) throw error;
  };
  const pictures: Picture[] = [];
  for (let index = 0; index < drawn; index += 1) pictures.push(await picture());
  const files: string[] = [];
  let total = 0;
  for (let index = 0; index < images; index += 1) {
    const { whole, previews } = pictures[index % drawn] ?? (await picture());
    const bytes = Buffer.concat([whole, randomBytes(16)]);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    for (const { width, bytes: small } of previews)
      await put(`${workspace}/${sha256}.${width}`, small, "image/webp");
    await put(`${workspace}/${sha256}`, bytes, "image/jpeg");
    const file = randomUUID();
    const body = { sha256, bytes: bytes.length, name: `${index}.jpg`, type: "image/jpeg", ...size };
    const subject = { kind: "file" as const, id: file };
    granted(
      await supabaseStore(ana.client).append(document, null, [
        { id: randomUUID(), type: "file.attached", subject, body },
      ]),
    );
    files.push(file);
    total += bytes.length;
    if (index % 50 === 49) console.log(`  ${index + 1} images stored`);
  }
  console.log(`  ${(total / 1e6).toFixed(0)} MB of images, without their smaller ones`);
  return files;
}

/** Writes paragraphs, and one of the images after each paragraph. */
async function write(ana: Person, document: string, files: readonly string[]): Promise<void> {
  const doc = new Y.Doc();
  const blocks = Array.from({ length: images }, (_, index) => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [
      new Y.XmlText(`Page ${index}. The pier stands on forty piles. `.repeat(8)),
    ]);
    const file = files[index];
    if (file === undefined) return [paragraph];
    const image = new Y.XmlElement("image");
    const attributes = { file, alt: "The pier", ...size };
    for (const [name, value] of Object.entries(attributes))
      // Yjs stores any JSON there, although its type allows only strings.
      image.setAttribute(name, value as string);
    return [paragraph, image];
  });
  doc.getXmlFragment("default").push(blocks.flat());
  const now = new Date();
  const edits = [{ update: Y.encodeStateAsUpdate(doc), time: now.getTime() }];
  granted(
    await supabaseStore(ana.client).append(document, null, [
      {
        id: randomUUID(),
        type: "document.edited",
        body: {},
        schema: schemaVersion,
        clientIds: [doc.clientID],
        update: encodeEdits(edits),
        clientTime: now.toISOString(),
      },
    ]),
  );
}

type Cookies = Awaited<ReturnType<typeof signedInState>>;

/** Returns the number and total bytes of the images that a page requests without scrolling. */
async function unscrolled(browser: Browser, cookies: Cookies, stack: Stack, document: string) {
  const viewport = { width: 1200, height: 800 };
  const context = await browser.newContext({
    baseURL: stack.url,
    viewport,
    storageState: cookies,
  });
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  let [asked, last] = [0, 0];
  const isImage = (request: Request) => new URL(request.url()).pathname.startsWith("/files/");
  page.on("request", (request) => {
    if (isImage(request)) asked += 1;
  });
  page.on("requestfinished", (request) => {
    if (!isImage(request)) return;
    last = performance.now();
    sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(`/d/${document}`, { waitUntil: "commit" });
  await page.locator('[contenteditable="true"][aria-label="Document text"]').waitFor();
  // Sizing an image renders the image again, after the text.
  await page.locator("figure.image[data-state]").first().waitFor({ state: "attached" });
  last = performance.now();
  const isSettled = () => sizes.length === asked && performance.now() - last > 3_000;
  for (const end = last + 240_000; !isSettled() && performance.now() < end;) await delay(100);
  const bytes = (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0);
  await context.close();
  return { count: sizes.length, bytes };
}

const stack = await startStack();
const browser = await launchBrowser();
try {
  const ana = await signUp(stack, "Ana");
  const [without, withImages] = [await meet([ana]), await meet([ana])];
  const begun = performance.now();
  const files = await attach(stack, ana, withImages);
  await write(ana, without, []);
  await write(ana, withImages, files);
  console.log(`  made in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  const cookies = await signedInState(browser, stack, ana);
  const [plain, illustrated]: [Opening[], Opening[]] = [[], []];
  // The first opening of each document makes the service create data for later openings.
  await openTimed(browser, cookies, stack, without);
  await openTimed(browser, cookies, stack, withImages);
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await openTimed(browser, cookies, stack, without));
    illustrated.push(await openTimed(browser, cookies, stack, withImages));
    console.log(`  round ${round + 1} of ${rounds}`);
  }
  const middle = (of: Opening[], part: keyof Opening) =>
    percentile(
      of.map((each) => each[part]),
      0.5,
    );
  const ratio = (part: keyof Opening) => middle(illustrated, part) / middle(plain, part);
  console.log(
    `a document with ${images} images and the same without them, opened ${rounds} times each in ` +
      `turns; load ${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  for (const [part, what] of [
    ["read", "until it can be read"],
    ["typed", "until it can be typed in"],
  ] as const)
    console.log(
      `  ${what}, ms, medians: ${middle(illustrated, part).toFixed(0)}, without images ` +
        `${middle(plain, part).toFixed(0)}; ratio ${ratio(part).toFixed(2)}`,
    );
  const html = (of: Opening[]) => `${(middle(of, "bytes") / 1e3).toFixed(0)} KB`;
  console.log(`  the page itself: ${html(illustrated)}, without images ${html(plain)}`);
  const { count, bytes } = await unscrolled(browser, cookies, stack, withImages);
  console.log(`  not scrolled: ${count} images asked for, ${(bytes / 1e6).toFixed(1)} MB`);
  const isMet = ratio("read") <= most.ratio;
  console.log(`  read: at most ${most.ratio}: ${isMet ? "met" : "MISSED"}`);
  if (!isMet) process.exitCode = 1;
} finally {
  await browser.close();
  await stack.dispose();
}
