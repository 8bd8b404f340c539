import type { ArchivedFile } from "./import-archive";
import { importLimits } from "./import-error";
import type { FoundPicture, PictureSource } from "./brought-pictures";
import { pathInArchive } from "./archive-path";

export const pictureName = /\.(png|jpe?g|gif|webp|avif|svg|bmp|tiff?|heic)$/i;

const keyOf = (path: readonly string[]) => path.join("/").toLowerCase();

/** An archive's images, and the number of images that no text uses. */
export class ArchivePictures {
  private readonly files = new Map<string, ArchivedFile>();
  /** Paths by file name and parent folder. Null marks an ambiguous pair. */
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

  /** Returns a finder for the images of a text in this folder. */
  from(folder: readonly string[]): PictureSource {
    return (address) => this.find(pathInArchive(address, folder), pathInArchive(address, []));
  }

  /** Finds an image. Some tools write paths from their export's root, which may be any folder. */
  private find(path: string[] | null, fromRoot: string[] | null): FoundPicture | null {
    const given = path === null ? "" : keyOf(path);
    const alike = fromRoot === null ? null : this.byEnd.get(keyOf(fromRoot));
    // An ambiguous name resolves to none.
    const key = this.files.has(given) ? given : (alike ?? "");
    const file = this.files.get(key);
    if (!file) return null;
    this.requested.add(key);
    return { name: file.path.at(-1) ?? "", bytes: file.bytes };
  }

  /** The number of images that no text uses. */
  get unasked(): number {
    return this.files.size - this.requested.size;
  }
}
