import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { BundleError, bundleLimits } from "./bundle-format";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";

const breathe = async () => undefined;
const files = [
  ["README.txt", strToU8("Read me, please. ".repeat(20))],
  ["manifest.json", strToU8("{}")],
  ["people.json", new Uint8Array(0)],
] as const;

/** Returns the offsets of a file's directory record and of its local header. */
function placesOf(zip: Uint8Array, path: string): { record: number; local: number } {
  const view = new DataView(zip.buffer);
  let at = view.getUint32(zip.length - 6, true);
  for (;;) {
    const length = view.getUint16(at + 28, true);
    if (new TextDecoder().decode(zip.subarray(at + 46, at + 46 + length)) === path)
      return { record: at, local: view.getUint32(at + 42, true) };
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

/** Returns a valid zip with some fields of a file changed. */
async function forged(
  path: string,
  change: (view: DataView, places: { record: number; local: number }) => void,
): Promise<Uint8Array> {
  const zip = await packZip(files, breathe);
  change(new DataView(zip.buffer), placesOf(zip, path));
  return zip;
}

const refusal = async (zip: Uint8Array | Promise<Uint8Array>) => {
  const bytes = await zip;
  try {
    unpackZip(bytes);
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
  return "taken";
};

describe("the zip of a bundle", () => {
  it("[BUNDLE-2] returns the files that we or another program packed", async () => {
    const read = unpackZip(await packZip(files, breathe));
    expect([...read]).toEqual(files.map(([path, bytes]) => [path, bytes]));
    const other = zipSync(Object.fromEntries(files), { level: 9 });
    expect([...unpackZip(other)]).toEqual(files.map(([path, bytes]) => [path, bytes]));
  });

  it("[BUNDLE-2] stores a file that compresses beyond the limit of a reader", async () => {
    const same = new Uint8Array(2 * 2 ** 20).fill(120);
    const zip = await packZip([["text/document.md", same]], breathe);
    expect(zip.length).toBeGreaterThan(same.length);
    expect(Buffer.compare(unpackZip(zip).get("text/document.md") ?? new Uint8Array(), same)).toBe(
      0,
    );
    expect(await refusal(zipSync({ "text/document.md": same }))).toMatch(
      /more than 100 times.*zip bomb/,
    );
  });

  it("[BUNDLE-3] is refused if it is no zip, or cut short", async () => {
    const zip = await packZip(files, breathe);
    expect(await refusal(new Uint8Array(0))).toMatch(/not a zip file/);
    expect(await refusal(strToU8("<html>".repeat(10)))).toMatch(/not a zip file/);
    expect(await refusal(zip.slice(0, -30))).toMatch(/not a zip file/);
    expect(await refusal(zip.slice(20))).toMatch(/not a whole zip/);
    for (let cut = 1; cut < zip.length; cut += 7)
      expect(await refusal(zip.slice(0, cut))).toMatch(/zip/);
  });

  it("[BUNDLE-3] is refused or reads the same, whichever byte is flipped", async () => {
    const zip = await packZip(files, breathe);
    const sound = JSON.stringify([...unpackZip(zip)]);
    let refused = 0;
    for (let at = 0; at < zip.length; at += 1) {
      const flipped = zip.slice();
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8));
      const message = await refusal(flipped);
      if (message === "taken") expect(JSON.stringify([...unpackZip(flipped)])).toBe(sound);
      else refused += 1;
    }
    expect(refused).toBeGreaterThan(zip.length / 2);
  });

  it.each([
    ["../events.ndjson", /leave its folder/],
    ["text/../../x", /leave its folder/],
    ["/etc/passwd", /leave its folder/],
    ["C:\\x", /leave its folder/],
    ["text\\document.md", /leave its folder/],
    ["events.ndjson\0.txt", /leave its folder/],
    ["text/", /does not belong/],
    ["__MACOSX/._manifest.json", /does not belong/],
    ["Manifest.json", /does not belong/],
  ])("[BUNDLE-4] is refused for a file named %j", async (name, words) => {
    expect(
      await refusal(zipSync({ "manifest.json": strToU8("{}"), [name]: strToU8("x") })),
    ).toMatch(words);
  });

  it("[BUNDLE-4] is refused for a name that is not UTF-8, and for a link", async () => {
    expect(
      await refusal(forged("people.json", (view, { record }) => view.setUint8(record + 46, 0xff))),
    ).toMatch(/not UTF-8/);
    expect(
      await refusal(
        forged("people.json", (view, { record }) =>
          view.setUint32(record + 38, 0o120777 * 2 ** 16, true),
        ),
      ),
    ).toMatch(/a link/);
  });

  it("[BUNDLE-4] is refused if it holds a file twice, or two files share a place", async () => {
    const twice = await packZip([...files, ["README.txt", strToU8("Another one")]], breathe);
    expect(await refusal(twice)).toMatch(/README\.txt twice/);
    const shared = await forged("people.json", (view, { record }) =>
      view.setUint32(
        record + 42,
        placesOf(new Uint8Array(view.buffer), "manifest.json").local,
        true,
      ),
    );
    expect(await refusal(shared)).toMatch(/two different things|shares its place/);
  });

  it("[BUNDLE-5] is refused for a wrong size, checksum or name", async () => {
    expect(
      await refusal(
        forged("README.txt", (view, { record }) => view.setUint32(record + 24, 339, true)),
      ),
    ).toMatch(/size that the zip says/);
    expect(
      await refusal(
        forged("README.txt", (view, { record }) => view.setUint32(record + 24, 341, true)),
      ),
    ).toMatch(/size that the zip says/);
    expect(
      await refusal(
        forged("manifest.json", (view, { record }) => view.setUint32(record + 24, 1, true)),
      ),
    ).toMatch(/size that the zip says/);
    expect(
      await refusal(
        forged("manifest.json", (view, { record }) => view.setUint32(record + 16, 1, true)),
      ),
    ).toMatch(/changed after it was packed/);
    expect(
      await refusal(forged("manifest.json", (view, { local }) => view.setUint8(local + 30, 77))),
    ).toMatch(/two different things/);
  });

  it("[BUNDLE-5] is refused if it is encrypted, split or packed by another method", async () => {
    expect(
      await refusal(
        forged("README.txt", (view, { record }) => view.setUint16(record + 8, 1, true)),
      ),
    ).toMatch(/encrypted/);
    expect(
      await refusal(
        forged("README.txt", (view, { record }) => view.setUint16(record + 10, 12, true)),
      ),
    ).toMatch(/in a way that bundles do not use/);
    expect(
      await refusal(forged("README.txt", (view) => view.setUint16(view.byteLength - 18, 1, true))),
    ).toMatch(/several parts/);
  });

  it("[BUNDLE-6] is refused before it is unpacked if it is too large or has too many files", async () => {
    const large = bundleLimits.unpacked + 1;
    const zip = await forged("README.txt", (view, { record }) => {
      view.setUint32(record + 20, Math.ceil(large / 50), true);
      view.setUint32(record + 24, large, true);
    });
    expect(await refusal(zip)).toMatch(/at most 512 MB/);
    expect(
      await refusal(
        forged("README.txt", (view, { record }) => view.setUint32(record + 24, 2 ** 31, true)),
      ),
    ).toMatch(/zip bomb/);
    const many = Object.fromEntries(
      Array.from({ length: 10_011 }, (_, index) => [`file-${index}`, new Uint8Array(1)]),
    );
    expect(await refusal(zipSync(many, { level: 0 }))).toMatch(
      /10011 files; a bundle has at most 10010/,
    );
    expect(await refusal(new Uint8Array(bundleLimits.packed + 1))).toMatch(/at most 512 MB/);
  });
});
