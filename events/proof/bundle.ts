import { bytesToHex } from "@noble/hashes/utils.js";
import {
  BundleError,
  bundleLimits,
  bundlePaths,
  jsonText,
  parseAttachments,
  parseEventLine,
  parseHeads,
  parseManifest,
  parsePeople,
  pathOfAttachment,
  eventLine,
} from "./bundle-format";
import type {
  BundleAttachment,
  BundledPath,
  BundleHead,
  BundlePath,
  BundlePerson,
  Manifest,
} from "./bundle-format";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";
import type { Ruled } from "@/events/core/envelope";
import { digest } from "@/events/core/bytes/sha256";

/** A parsed bundle. Every file matches the manifest; the events are not checked yet. */
export type Bundle = {
  manifest: Manifest;
  rows: Ruled[];
  people: BundlePerson[];
  heads: BundleHead[];
  attachments: BundleAttachment[];
  /** The attachments' bytes, by SHA-256. */
  files: ReadonlyMap<string, Uint8Array>;
  texts: { markdown: string; html: string; json: string };
  player: string;
};

/** A bundle's content without the manifest's list of files, which is derived from the content. */
export type BundleContent = Omit<Bundle, "manifest"> & {
  manifest: Omit<Manifest, "files">;
  readme: string;
};

type Filed = Exclude<BundlePath, "manifest.json">;
const filedPaths = bundlePaths.filter((path): path is Filed => path !== "manifest.json");

const hashed = async (bytes: Uint8Array) => bytesToHex(await digest(Uint8Array.from(bytes)));

/** Returns the text of `events.ndjson`. */
export function eventsText(rows: readonly Ruled[]): string {
  return rows.map((row) => `${eventLine(row)}\n`).join("");
}

/** Parses the text of `events.ndjson`. */
export function parseEvents(text: string): Ruled[] {
  if (!text.endsWith("\n"))
    throw new BundleError("events.ndjson does not end with a line break: it was cut off.");
  // The lines are counted before they are split: a small file can unpack to half a billion lines.
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

/** Writes a bundle as the bytes of a zip. `breathe` yields to other work in between. */
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
  const contents: (readonly [BundledPath, Uint8Array])[] = filedPaths.map((path) => [
    path,
    encoder.encode(text[path]),
  ]);
  for (const { sha256 } of content.attachments) {
    const bytes = content.files.get(sha256);
    if (!bytes) throw new Error("Missing bytes of an attachment");
    contents.push([pathOfAttachment(sha256), bytes]);
  }
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

function textOf(files: Map<BundledPath, Uint8Array>, path: BundlePath): string {
  const bytes = files.get(path);
  if (!bytes) throw new BundleError(`The bundle has no ${path}.`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BundleError(`${path} is not UTF-8 text.`);
  }
}

type Listed = Manifest["files"][number];

async function isListed(content: Uint8Array, { bytes, sha256 }: Omit<Listed, "path">) {
  return content.length === bytes && (await hashed(content)) === sha256;
}

async function compareFiles(
  { files }: Manifest,
  unpacked: Map<BundledPath, Uint8Array>,
): Promise<void> {
  if (filedPaths.some((path, index) => path !== files[index]?.path))
    throw new BundleError("The manifest does not list the files of a bundle.");
  for (const [index, path] of filedPaths.entries()) {
    const [listed, content] = [files[index], unpacked.get(path)];
    if (!content) throw new BundleError(`The bundle has no ${path}.`);
    if (!listed || !(await isListed(content, listed)))
      throw new BundleError(`${path} is not the file that the manifest names.`);
  }
}

/** Compares the text's images and files with `attachments.json` and the manifest. */
async function compareAttachments(
  { files, version }: Manifest,
  attachments: readonly BundleAttachment[],
  unpacked: Map<BundledPath, Uint8Array>,
): Promise<Map<string, Uint8Array>> {
  if ((version === 2) !== attachments.length > 0)
    throw new BundleError(
      `The bundle lists ${attachments.length} attachments, and its version is ${version}.`,
    );
  const rest = files.slice(filedPaths.length);
  const found = new Map<string, Uint8Array>();
  for (const [index, attachment] of attachments.entries()) {
    const { sha256, name } = attachment;
    const path = pathOfAttachment(sha256);
    const [listed, content] = [rest[index], unpacked.get(path)];
    if (!content) throw new BundleError(`The bundle has no ${path}, which is “${name}”.`);
    if (!(await isListed(content, attachment)))
      throw new BundleError(`${path} is not “${name}”: it has another size or other bytes.`);
    if (listed?.path !== path || listed.bytes !== attachment.bytes || listed.sha256 !== sha256)
      throw new BundleError(`The manifest does not list ${path}, which is “${name}”.`);
    found.set(sha256, content);
  }
  if (rest.length !== attachments.length || unpacked.size !== files.length + 1)
    throw new BundleError("The bundle has files that it does not list.");
  return found;
}

/**
 * Parses a bundle from an untrusted file. Throws BundleError, with a sentence, on any deviation
 * from the specification. Whether the events form a chain and give the texts is checked separately.
 */
export async function readBundle(bytes: Uint8Array): Promise<Bundle> {
  const files = unpackZip(bytes);
  const manifest = parseManifest(textOf(files, "manifest.json"));
  await compareFiles(manifest, files);
  const attachments = parseAttachments(textOf(files, "attachments.json"));
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
    attachments,
    files: await compareAttachments(manifest, attachments, files),
    texts: {
      markdown: textOf(files, "text/document.md"),
      html: textOf(files, "text/document.html"),
      json: textOf(files, "text/document.json"),
    },
    player: textOf(files, "player.html"),
  };
}
