import { createHash } from "node:crypto";
import { zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import type { Ruled } from "@/events/core/envelope";
import { mostFileBytes } from "@/events/core/file-types";
import { atOnce, bundleOf, history } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";
import { BundleError } from "./bundle-format";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";
import { hashed, unhashed } from "./chain.fixture";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const encoder = new TextEncoder();
const shelf = encoder.encode("The shelf, as an image.");
const list = encoder.encode("The list, as a file.");
const [shelfPath, listPath] = [`files/${sha256(shelf)}`, `files/${sha256(list)}`];

function attached(version: number, name: string, bytes: Uint8Array, type: string): Ruled {
  const body = {
    sha256: sha256(bytes),
    bytes: bytes.length,
    name,
    type,
    width: null,
    height: null,
  };
  const subject = { kind: "file", id: `00000000-0000-4000-8000-f0000000000${version - 7}` };
  const phases = { fromPhase: "absent", toPhase: "attached" };
  const bodyText = JSON.stringify(body);
  return unhashed(version, { type: "file.attached", subject, ...phases, bodyText, update: null });
}

let rows: Ruled[];
let bundle: Uint8Array;
const held = new Map([shelf, list].map((bytes) => [sha256(bytes), bytes]));
beforeAll(async () => {
  rows = await hashed([
    ...(await history()),
    attached(8, "shelf.png", shelf, "image/png"),
    attached(9, "list.txt", list, "application/octet-stream"),
    // The same bytes are attached again under another name.
    attached(10, "again.png", shelf, "image/png"),
  ]);
  bundle = await bundleOf(rows, held);
});

const checked = (bytes: Uint8Array) => checkBundle(bytes, () => undefined);

/** Changes the bundle's files and packs them with a matching manifest, as a forger would. */
function changed(change: (files: Map<string, Uint8Array>) => void): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>(unpackZip(bundle));
  change(files);
  const manifest = JSON.parse(new TextDecoder().decode(files.get("manifest.json"))) as {
    files: { path: string; bytes: number; sha256: string }[];
  };
  for (const file of manifest.files) {
    const bytes = files.get(file.path) ?? new Uint8Array();
    Object.assign(file, { bytes: bytes.length, sha256: sha256(bytes) });
  }
  return files.set("manifest.json", encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`));
}

async function refusal(bytes: Uint8Array | Promise<Uint8Array>): Promise<string> {
  try {
    await checked(await bytes);
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
  return "taken";
}

const refusalOf = (change: (files: Map<string, Uint8Array>) => void) =>
  refusal(packZip([...changed(change)], atOnce));

const replaced = (path: string, from: string, to: string) => (files: Map<string, Uint8Array>) => {
  const text = new TextDecoder().decode(files.get(path));
  files.set(path, encoder.encode(text.replace(from, () => to)));
};

describe("a bundle with images and files", () => {
  it("[BUNDLE-14] holds each file once, as its event names it, and lists it", async () => {
    const { bundle: read, absent } = await checked(bundle);
    expect(read.attachments).toEqual([
      { sha256: sha256(shelf), bytes: shelf.length, name: "shelf.png", type: "image/png" },
      {
        sha256: sha256(list),
        bytes: list.length,
        name: "list.txt",
        type: "application/octet-stream",
      },
    ]);
    const bytesOf = [...read.files].map(([hash, bytes]) => [hash, new TextDecoder().decode(bytes)]);
    expect(bytesOf).toEqual(
      [...held].map(([hash, bytes]) => [hash, new TextDecoder().decode(bytes)]),
    );
    expect([read.manifest.version, absent]).toEqual([2, []]);
    expect(read.manifest.files.slice(-2).map(({ path }) => path)).toEqual([shelfPath, listPath]);
  });

  it("[BUNDLE-2] [BUNDLE-14] reads the same after another program packed it", async () => {
    const { bundle: read } = await checked(zipSync(Object.fromEntries(unpackZip(bundle))));
    expect([...read.files.keys()]).toEqual([...held.keys()]);
  });

  it("[BUNDLE-15] names the files that it lacks, as earlier bundles do", async () => {
    const partly = await checked(await bundleOf(rows, new Map([[sha256(list), list]])));
    expect(partly.absent).toEqual(["shelf.png"]);
    const before = await checked(await bundleOf(rows));
    expect([before.absent, before.bundle.manifest.version]).toEqual([["shelf.png", "list.txt"], 1]);
  });

  it("[BUNDLE-14] has no file that was redacted", async () => {
    const [redacted, ...others] = rows.slice(7);
    if (!redacted) throw new Error("there is one");
    const bodyText = (redacted.bodyText ?? "").replace("shelf.png", "");
    const gone = [...rows.slice(0, 7), { ...redacted, bodyText, body: JSON.parse(bodyText) }];
    const { attachmentsOf } = await import("./bundle-attachments");
    expect(attachmentsOf(gone)).toEqual([]);
    // Another event attached the same bytes.
    expect(attachmentsOf([...gone, ...others]).map(({ name }) => name)).toEqual([
      "list.txt",
      "again.png",
    ]);
  });

  it.each<[string, (files: Map<string, Uint8Array>) => void, RegExp]>([
    [
      "has other bytes",
      (files) => files.set(shelfPath, encoder.encode("The shelf, as an imagE.")),
      /is not “shelf\.png”: it has another size or other bytes/,
    ],
    [
      "has another size",
      (files) => files.set(listPath, new Uint8Array()),
      /is not “list\.txt”: it has another size or other bytes/,
    ],
    ["is not there", (files) => files.delete(shelfPath), /has no files\/.*, which is “shelf\.png”/],
    [
      "is in no list",
      (files) => files.set(`files/${"0".repeat(64)}`, shelf),
      /files that it does not list/,
    ],
    [
      "has another name than its event says",
      replaced("attachments.json", "shelf.png", "shelf.exe"),
      /does not list the files that the events brought/,
    ],
    [
      "is of a bundle that can have none",
      replaced("manifest.json", '"version": 2', '"version": 1'),
      /lists 2 attachments, and its version is 1/,
    ],
    ["is called out of its folder", (files) => files.set("files/../x", shelf), /leave its folder/],
    [
      "is called otherwise",
      (files) => files.set(`files/${"A".repeat(64)}`, shelf),
      /does not belong to a bundle/,
    ],
    [
      "is larger than any",
      (files) => files.set(shelfPath, new Uint8Array(mostFileBytes + 1)),
      /is larger than the 25 MB of a file/,
    ],
  ])("[BUNDLE-15] is refused where a file %s", async (_what, change, words) => {
    expect(await refusalOf(change)).toMatch(words);
  });

  it("[BUNDLE-15] is refused before it is unpacked if a file is a bomb", async () => {
    const files = changed((all) => all.set(shelfPath, new Uint8Array(20_000_000)));
    expect(await refusal(zipSync(Object.fromEntries(files)))).toMatch(/zip bomb/);
  });
});
