import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { prosemirrorToYXmlFragment } from "@tiptap/y-tiptap";
import fc from "fast-check";
import { strFromU8, unzipSync } from "fflate";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Doc } from "yjs";
import { documentSchema } from "@/events/content/schema";
import type { FileImages } from "@/events/formats/writing/file-images";
import { xmlLetters } from "@/events/formats/writing/letters";
import { randomText } from "@/events/formats/writing/random-text.fixture";
import { lettersOf, textTree } from "@/events/formats/writing/text-tree";
import type { TreeNode } from "@/events/formats/writing/text-tree";
import { wordFile } from "@/events/formats/writing/word-file";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-office-"));
  await run("soffice", ["--version"]).catch(() => {
    throw new Error("This test needs LibreOffice: apt-get install libreoffice-writer-nogui");
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function treeOf(json: object): TreeNode[] {
  const fragment = new Doc().getXmlFragment("default");
  prosemirrorToYXmlFragment(documentSchema.nodeFromJSON(json), fragment);
  return textTree(fragment);
}

/** The words and pictures that LibreOffice finds in each Word file. */
async function opened(files: readonly Uint8Array[]) {
  const names = files.map((_, index) => `${index}.docx`);
  await Promise.all(files.map((bytes, index) => writeFile(join(folder, `${index}.docx`), bytes)));
  const home = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const how = [home, "--headless", "--convert-to", "odt", "--outdir", folder];
  await run("soffice", [...how, ...names.map((name) => join(folder, name))], { timeout: 600_000 });
  return Promise.all(
    names.map(async (name) => {
      const found = unzipSync(await readFile(join(folder, name.replace(".docx", ".odt"))));
      const content = strFromU8(found["content.xml"] ?? new Uint8Array());
      const body = content.slice(content.indexOf("<office:text"));
      const words = body
        .replace(/<svg:(title|desc)>.*?<\/svg:\1>/gs, "")
        .replace(/<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&quot;/g, '"')
        .replace(/&apos;/g, "'")
        .replace(/&amp;/g, "&");
      const pictures = Object.keys(found).filter((path) => path.startsWith("Pictures/"));
      return { words, pictures: pictures.map((path) => found[path] ?? new Uint8Array()) };
    }),
  );
}

const squeezed = (text: string) => text.replace(/\s+/g, "");
const links = (images: FileImages = new Map()) => ({
  nameOf: () => ({ words: "", icon: null, state: "open" as const }),
  origin: "https://palimpsest.example",
  images,
});

it(`[FORMAT-2] LibreOffice finds every letter of any text (seed ${seed})`, async () => {
  const trees = fc.sample(randomText, { numRuns: 60, seed }).map(treeOf);
  const found = await opened(await Promise.all(trees.map((tree) => wordFile("T", tree, links()))));
  const read = found.map(({ words }) => squeezed(words).replace(/^T/, "").replace(/[☐☑]/g, ""));
  expect(read).toEqual(trees.map((tree) => squeezed(xmlLetters(lettersOf(tree)))));
});

it("[FORMAT-7] LibreOffice finds a document's images, pixel by pixel", async () => {
  const made = async (background: string, width: number) => ({
    type: "image/png" as const,
    bytes: new Uint8Array(
      await sharp({ create: { width, height: 40, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
    width,
    height: 40,
  });
  const ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const images = [await made("teal", 60), await made("maroon", 80)];
  const image = (file: string | undefined): TreeNode => ({
    name: "image",
    attributes: { file, alt: "A shelf", caption: "On the wall", scale: 100, align: "center" },
    children: [],
  });
  const tree = ids.map(image);
  const shown = new Map(images.map((image, index) => [ids[index] ?? "", image]));
  const [found] = await opened([await wordFile("Shelves", tree, links(shown))]);
  const raw = async (bytes: Uint8Array) => {
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return `${info.width} ${info.height} ${createHash("sha256").update(data).digest("hex")}`;
  };
  const pictures = await Promise.all((found?.pictures ?? []).map(raw));
  expect(pictures.sort()).toEqual(
    (await Promise.all(images.map(({ bytes }) => raw(bytes)))).sort(),
  );
  expect(squeezed(found?.words ?? "")).toContain("Onthewall");
});
