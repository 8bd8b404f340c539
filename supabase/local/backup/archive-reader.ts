import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
  aboutName,
  BackupFault,
  block,
  manifestHashName,
  manifestName,
  mostListed,
  mostPacked,
  padding,
  partBytes,
  readTarHeader,
} from "./archive-format";
import { linesIn, partName } from "./archive-writer";
import { aboutSchema, manifestSchema } from "./manifest";
import type { About, Listed, Manifest } from "./manifest";

const unpack = promisify(gunzip);

type Place = { name: string; at: number; size: number };

/** A backup that was verified to be complete. */
export type Archive = {
  about: About;
  manifest: Manifest;
  /** The size of the file in bytes. */
  size: number;
  /** Reads the bytes of a table or a file, part by part. */
  read(entry: Listed): AsyncGenerator<Buffer>;
  close(): Promise<void>;
};

/** Reads the release and schema at the beginning of a backup. */
export async function readAbout(path: string): Promise<About> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    const place = await placeAt(file, 0, size);
    return await aboutAt(file, place);
  } finally {
    await file.close();
  }
}

/**
 * Opens a backup after verifying all of its content, with one part in memory at a time. Throws
 * BackupFault if anything is missing or changed.
 */
export async function openArchive(path: string): Promise<Archive> {
  const file = await openFile(path);
  try {
    return await checkedArchive(file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function checkedArchive(file: FileHandle): Promise<Archive> {
  const { size } = await file.stat();
  const places: Place[] = [];
  const found = new Map<string, { place: Place; sha256: string }>();
  let at = 0;
  do {
    const place = await placeAt(file, at, size);
    if (found.has(place.name)) throw damaged(`${place.name} occurs twice`);
    const bytes = await bytesAt(file, place);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    places.push(place);
    found.set(place.name, { place, sha256 });
    at = place.at + place.size + padding(place.size);
    await requireZeros(file, place.at + place.size, at);
  } while (places.at(-1)?.name !== manifestHashName);
  if (size < at + 2 * block) throw cutOff();
  if (size > at + 2 * block) throw damaged("it does not end after its last entry");
  await requireZeros(file, at, size);

  const [first, manifestPlace] = [places.at(0), places.at(-2)];
  if (!first || manifestPlace?.name !== manifestName) throw damaged("it has no manifest");
  const about = await aboutAt(file, first);
  const manifest = await manifestAt(file, manifestPlace, found.get(manifestName)?.sha256 ?? "");
  await requireHash(file, places.at(-1), found.get(manifestName)?.sha256 ?? "");
  const listed = manifest.entries.map(({ name, bytes, sha256 }) => `${name} ${bytes} ${sha256}`);
  const there = places
    .slice(0, -2)
    .map(({ name, size }) => `${name} ${size} ${found.get(name)?.sha256}`);
  const differs = listed.findIndex((entry, index) => entry !== there[index]);
  if (differs !== -1)
    throw damaged(`${manifest.entries[differs]?.name} is missing or differs from its digest`);
  if (there.length !== listed.length) throw damaged("it has entries that its manifest lacks");

  const lists = [...manifest.tables, ...manifest.files];
  const parts = lists.reduce((sum, entry) => sum + entry.parts, 0);
  if (new Set(lists.map(({ name }) => name)).size !== lists.length || parts !== there.length - 1)
    throw damaged("its manifest does not match its entries");
  const archive: Archive = {
    about,
    manifest,
    size,
    read: (entry) => readParts(file, entry, (name) => found.get(name)?.place),
    close: () => file.close(),
  };
  for (const entry of lists) await checkListed(archive, entry);
  return archive;
}

/** Decompresses all parts of an entry and compares them with its size and hash. */
async function checkListed(archive: Archive, entry: Listed): Promise<void> {
  const whole = createHash("sha256");
  let bytes = 0;
  let lines = 0;
  for await (const part of archive.read(entry)) {
    whole.update(part);
    bytes += part.length;
    lines += linesIn(part);
  }
  if (bytes !== entry.bytes || lines !== entry.lines || whole.digest("hex") !== entry.sha256)
    throw damaged(`${entry.name} differs from its digest`);
}

async function* readParts(
  file: FileHandle,
  entry: Listed,
  find: (name: string) => Place | undefined,
): AsyncGenerator<Buffer> {
  for (let number = 1; number <= entry.parts; number += 1) {
    const name = partName(entry.name, number);
    const place = find(name);
    if (!place) throw damaged(`${name} is missing`);
    const packed = await bytesAt(file, place);
    yield await unpack(packed, { maxOutputLength: partBytes }).catch((cause: unknown) => {
      throw damaged(`${name} cannot be unpacked to at most ${partBytes} bytes`, cause);
    });
  }
}

async function aboutAt(file: FileHandle, place: Place): Promise<About> {
  const read = aboutSchema.safeParse(parsedJson(await bytesAt(file, place)));
  if (read.success) return read.data;
  throw new BackupFault(
    "This release cannot read this backup's format. Restore it with the " +
      "release that wrote it.",
  );
}

async function manifestAt(file: FileHandle, place: Place, sha256: string): Promise<Manifest> {
  const bytes = await bytesAt(file, place);
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw damaged("it changed while it was read");
  const read = manifestSchema.safeParse(parsedJson(bytes));
  if (!read.success) throw damaged("its manifest cannot be read");
  return read.data;
}

async function requireHash(
  file: FileHandle,
  place: Place | undefined,
  sha256: string,
): Promise<void> {
  const checksumLine = place ? (await bytesAt(file, place)).toString("latin1") : "";
  if (checksumLine !== `${sha256}  ${manifestName}\n`)
    throw damaged("its manifest differs from its digest");
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path).catch((cause: unknown) => {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new BackupFault(
      isMissing ? `There is no file ${path}.` : `${path} cannot be read: ${why}`,
      { cause },
    );
  });
  const found = await file.stat();
  if (found.isFile()) return file;
  await file.close();
  throw new BackupFault(`${path} is not a file.`);
}

/** Locates the file whose header is at an offset. */
async function placeAt(file: FileHandle, at: number, size: number): Promise<Place> {
  const isFirst = at === 0;
  if (at + block > size) throw isFirst ? foreign() : cutOff();
  const header = readTarHeader(await exactly(file, at, block));
  if (isFirst && header?.name !== aboutName) throw foreign();
  if (!header) throw damaged("an entry's header is invalid");
  const most = header.name === manifestName || header.name === aboutName ? mostListed : mostPacked;
  if (header.size > most) throw damaged(`${header.name} exceeds the size limit`);
  const place = { name: header.name, at: at + block, size: header.size };
  if (place.at + place.size + padding(place.size) > size) throw cutOff();
  return place;
}

const bytesAt = (file: FileHandle, { at, size }: Place) => exactly(file, at, size);

async function requireZeros(file: FileHandle, from: number, to: number): Promise<void> {
  if ((await exactly(file, from, to - from)).some((byte) => byte !== 0))
    throw damaged("unexpected bytes between its entries");
}

async function exactly(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(bytes, done, length - done, at + done);
    if (bytesRead === 0) throw cutOff();
    done += bytesRead;
  }
  return bytes;
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    // Invalid JSON is treated as not matching the schema.
    return null;
  }
}

const foreign = () => new BackupFault("This file was not written by npm run backup.");
const cutOff = () =>
  new BackupFault(
    "This backup is truncated: it ends before its last entry. Copy it again, or use another one.",
  );
const damaged = (what: string, cause?: unknown) =>
  new BackupFault(`This backup is damaged: ${what}. Copy it again, or use another one.`, {
    cause,
  });
