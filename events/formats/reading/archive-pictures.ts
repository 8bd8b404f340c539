import type { ArchivedFile } from "./import-archive";
import { importLimits } from "./import-error";
import type { FoundPicture, PictureSource } from "./brought-pictures";
import { pathInArchive } from "./archive-path";

export const pictureName = /\.(png|jpe?g|gif|webp|avif|svg|bmp|tiff?|heic)$/i;

const keyOf = (path: readonly string[]) => path.join("/").toLowerCase();

/** The pictures of an archive, and which of them no text has asked for. */
export class ArchivePictures {
  private readonly files = new Map<string, ArchivedFile>();
  /** By their own names and the folders next to them; null of what is more than one. */
  private readonly byEnd = new Map<string, string | null>();
  private readonly requested = new Set<string>();

  constructor(files: readonly ArchivedFile[]) {
    for (const file of files) {
      const key = keyOf(file.path);
      this.files.set(key, file);
      const near = file.path.slice(-importLimits.levels);
      for (const from of near.keys()) {
        const end = keyOf(near.slice(from));
        this.byEnd.set(end, this.byEnd.has(end) ? null : key);
      }
    }
  }

  /** What finds the pictures of a text that lies in this folder. */
  from(folder: readonly string[]): PictureSource {
    return (address) => this.find(pathInArchive(address, folder), pathInArchive(address, []));
  }

  /** Some tools write a path from the root of what they exported, wherever that lies in the archive. */
  private find(path: string[] | null, fromRoot: string[] | null): FoundPicture | null {
    const given = path === null ? "" : keyOf(path);
    const alike = fromRoot === null ? null : this.byEnd.get(keyOf(fromRoot));
    // Of two it is not known which is meant.
    const key = this.files.has(given) ? given : (alike ?? "");
    const file = this.files.get(key);
    if (!file) return null;
    this.requested.add(key);
    return { name: file.path.at(-1) ?? "", bytes: file.bytes };
  }

  /** How many no text has asked for. */
  get unasked(): number {
    return this.files.size - this.requested.size;
  }
}
