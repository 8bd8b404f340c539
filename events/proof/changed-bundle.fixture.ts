import { createHash } from "node:crypto";
import { BundleError } from "./bundle-format";
import type { BundledPath, BundlePath } from "./bundle-format";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";
import { atOnce } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";

const encoder = new TextEncoder();

/** Returns a bundle's file as text. */
export const textIn = (files: Map<BundledPath, Uint8Array>, path: BundlePath) =>
  new TextDecoder().decode(files.get(path));

type Change<Path> = (text: string, path: Path) => string | Uint8Array | null;

/** Returns ways to change a bundle's files. `bundle` is called at each change. */
export function changesOf(bundle: () => Uint8Array) {
  /** Changes some of the bundle's files and updates its manifest as a forger would. */
  async function changed(
    change: Change<BundledPath>,
    relist = true,
    from = bundle(),
  ): Promise<Uint8Array> {
    const files = new Map<BundledPath, Uint8Array>();
    for (const [path, bytes] of unpackZip(from)) {
      const made = change(new TextDecoder().decode(bytes), path);
      if (made !== null) files.set(path, typeof made === "string" ? encoder.encode(made) : made);
    }
    if (relist && files.has("manifest.json")) {
      const manifest = JSON.parse(textIn(files, "manifest.json")) as {
        files: { path: BundlePath; bytes: number; sha256: string }[];
      };
      for (const file of manifest.files) {
        const bytes = files.get(file.path) ?? new Uint8Array();
        file.bytes = bytes.length;
        file.sha256 = createHash("sha256").update(bytes).digest("hex");
      }
      files.set("manifest.json", encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`));
    }
    return packZip([...files], atOnce);
  }

  /** Changes one of the bundle's files. */
  const only = (changedPath: BundlePath, change: (text: string) => string | Uint8Array | null) =>
    changed((content, path) => (path === changedPath ? change(content) : content));

  return { changed, only };
}

/** Returns the reason why a bundle is refused, or "taken" if it is accepted. */
export async function refusal(bytes: Uint8Array | Promise<Uint8Array>): Promise<string> {
  const made = await bytes;
  try {
    await checkBundle(made, () => undefined);
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
  return "taken";
}
