import { bytesToHex } from "@noble/hashes/utils.js";
import {
  type BundleAttachment,
  BundleError,
  type BundleHead,
  bundleLimits,
  type BundlePath,
  bundlePaths,
  type BundlePerson,
  jsonText,
  type Manifest,
  parseAttachments,
  parseEventLine,
  parseHeads,
  parseManifest,
  parsePeople,
  eventLine,
} from "./bundle-format";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";
import { type Ruled } from "@/events/core/envelope";
import { digest } from "@/events/core/sha256";

/** A bundle as it was read: every file is the one that the manifest names; what the events say is not checked yet. */
export type Bundle = {
  manifest: Manifest;
  rows: Ruled[];
  people: BundlePerson[];
  heads: BundleHead[];
  attachments: BundleAttachment[];
  texts: { markdown: string; html: string; json: string };
  player: string;
};

/** What a bundle is made of: all but the manifest's list of files, which follows from it. */
export type BundleContent = Omit<Bundle, "manifest"> & {
  manifest: Omit<Manifest, "files">;
  readme: string;
};

type Filed = Exclude<BundlePath, "manifest.json">;
const filedPaths = bundlePaths.filter((path): path is Filed => path !== "manifest.json");

const hashed = async (bytes: Uint8Array) => bytesToHex(await digest(Uint8Array.from(bytes)));

/** The lines of `events.ndjson`. */
export function eventsText(rows: readonly Ruled[]): string {
  return rows.map((row) => `${eventLine(row)}\n`).join("");
}

/** Reads the text of `events.ndjson`. */
export function parseEvents(text: string): Ruled[] {
  if (!text.endsWith("\n"))
    throw new BundleError("events.ndjson does not end with a line break: it was cut off.");
  // Before anything is made of the lines: a small file can unpack to half a billion of them.
  for (let count = 0, at = -1; (at = text.indexOf("\n", at + 1)) >= 0;) {
    count += 1;
    if (count > bundleLimits.events)
      throw new BundleError(
        `events.ndjson has more than ${bundleLimits.events} lines, and no more are taken.`,
      );
  }
  return text
    .slice(0, -1)
    .split("\n")
    .map((line, index) => parseEventLine(line, index + 1));
}

/** Writes a bundle as the bytes of a zip; `breathe` lets others work in between. */
export async function writeBundle(
  content: BundleContent,
  breathe: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer>> {
  const text: Record<Filed, string> = {
    "README.txt": content.readme,
    "events.ndjson": eventsText(content.rows),
    "people.json": jsonText(content.people),
    "heads.json": jsonText(content.heads),
    "attachments.json": jsonText(content.attachments),
    "text/document.md": content.texts.markdown,
    "text/document.html": content.texts.html,
    "text/document.json": content.texts.json,
    "player.html": content.player,
  };
  const encoder = new TextEncoder();
  const contents = filedPaths.map((path) => [path, encoder.encode(text[path])] as const);
  const files = await Promise.all(
    contents.map(async ([path, bytes]) => ({
      path,
      bytes: bytes.length,
      sha256: await hashed(bytes),
    })),
  );
  const manifest = encoder.encode(jsonText({ ...content.manifest, files }));
  const [readme, ...rest] = contents;
  return packZip([...(readme ? [readme] : []), ["manifest.json", manifest], ...rest], breathe);
}

function textOf(files: Map<BundlePath, Uint8Array>, path: BundlePath): string {
  const bytes = files.get(path);
  if (!bytes) throw new BundleError(`The bundle has no ${path}.`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BundleError(`${path} is not UTF-8 text.`);
  }
}

async function compareFiles(
  { files }: Manifest,
  unpacked: Map<BundlePath, Uint8Array>,
): Promise<void> {
  if (
    files.length !== filedPaths.length ||
    files.some(({ path }, index) => path !== filedPaths[index])
  ) {
    throw new BundleError("The manifest does not list the files of a bundle.");
  }
  for (const { path, bytes, sha256 } of files) {
    const known = filedPaths.find((one) => one === path);
    const content = known && unpacked.get(known);
    if (!content) throw new BundleError(`The bundle has no ${path}.`);
    if (content.length !== bytes || (await hashed(content)) !== sha256)
      throw new BundleError(`${path} is not the file that the manifest names.`);
  }
}

/**
 * Reads a bundle from the bytes of a file that anybody may have made. Throws BundleError, with a sentence, at anything
 * that is not exactly as it must be; whether the events hold together and give the texts is still to be checked.
 */
export async function readBundle(bytes: Uint8Array): Promise<Bundle> {
  const files = unpackZip(bytes);
  const manifest = parseManifest(textOf(files, "manifest.json"));
  await compareFiles(manifest, files);
  const rows = parseEvents(textOf(files, "events.ndjson"));
  if (rows.length !== manifest.events)
    throw new BundleError(
      `The manifest says ${manifest.events} events, and there are ${rows.length}.`,
    );
  return {
    manifest,
    rows,
    people: parsePeople(textOf(files, "people.json")),
    heads: parseHeads(textOf(files, "heads.json")),
    attachments: parseAttachments(textOf(files, "attachments.json")),
    texts: {
      markdown: textOf(files, "text/document.md"),
      html: textOf(files, "text/document.html"),
      json: textOf(files, "text/document.json"),
    },
    player: textOf(files, "player.html"),
  };
}
