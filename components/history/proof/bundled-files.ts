import { bytesToHex } from "@noble/hashes/utils.js";
import { pathOfFile } from "@/events/content/file-attributes";
import type { Ruled } from "@/events/core/envelope";
import { digest } from "@/events/core/bytes/sha256";
import { standingFiles } from "@/events/core/standing-files";
import type { StandingFile } from "@/events/core/standing-files";
import { StoreFault } from "@/events/log/store";
import { bundleLimits } from "@/events/proof/bundle-format";

/** The most bytes of files in a bundle: its limit minus 128 MiB for everything else. */
const room = bundleLimits.packed - 128 * 2 ** 20;

/** Fetches the bytes of a file. Returns null on 404. */
async function bytesOf(
  { file, body: { sha256, bytes } }: StandingFile,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const answer = await fetch(pathOfFile(file), { signal });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new StoreFault("a file could not be loaded", answer.status);
  const read = new Uint8Array(await answer.arrayBuffer());
  const isSame = read.length === bytes && bytesToHex(await digest(read)) === sha256;
  return isSame ? read : null;
}

/**
 * Reads the images and files to which a document's events refer, each once. `absent` names the
 * files that are missing or do not fit into a bundle.
 */
export async function bundledFiles(
  rows: readonly Ruled[],
  signal: AbortSignal,
  onRead: (done: number, all: number) => void,
): Promise<{ files: Map<string, Uint8Array>; absent: string[] }> {
  const wanted = new Map(standingFiles(rows).map((each) => [each.body.sha256, each]));
  const files = new Map<string, Uint8Array>();
  const absent: string[] = [];
  let left = room;
  let done = 0;
  for (const [sha256, each] of wanted) {
    const { name, bytes } = each.body;
    const fits = bytes <= left && files.size < bundleLimits.files;
    const read = fits ? await bytesOf(each, signal) : null;
    if (read === null) absent.push(name);
    else {
      files.set(sha256, read);
      left -= bytes;
    }
    done += 1;
    onRead(done, wanted.size);
  }
  return { files, absent };
}
