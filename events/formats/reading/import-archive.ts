import { unzipSync } from "fflate";
import { ImportError, importLimits, megabytes } from "./import-error";
import { decodedText } from "./text-encoding";

/** A file of an archive, with the path of its folders and its name. */
export type ArchivedFile = { path: string[]; bytes: Uint8Array };

/** The totals unpacked so far. A nested archive shares the limits of its outer archive. */
export type Unpacked = { entries: number; bytes: number };
type Left = (what: string, count?: number) => void;

const leaving = /^[/\\]|^[a-z]:|(^|[/\\])\.\.([/\\]|$)|\0/i;
const broken = "This is not a whole zip file: it was cut off or changed on its way.";
/** Files that operating systems add to archives. They hold none of the author's words. */
const litter = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
/**
 * Folders that programs keep beside texts. A leading dot alone does not identify them, since names
 * may begin with a dot for other reasons.
 */
const kept = /(^|\/)\.(git|hg|svn|obsidian|logseq|trash|vscode|idea|stversions)\//i;

/** Decodes a name in UTF-8 from an archive that does not declare the encoding. */
function readableName(name: string): string {
  if (!/[\u0080-\u00ff]/.test(name) || /[^\u0000-\u00ff]/.test(name)) return name;
  try {
    const bytes = Uint8Array.from(name, (letter) => letter.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return name;
  }
}

/**
 * Unpacks the files of an archive that `isWanted` accepts. The archive may be hostile: each file
 * and the total are checked against the limits before any file is unpacked, and names that leave
 * the archive are skipped.
 */
export function unpackWanted(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
  left: Left,
  sum: Unpacked = { entries: 0, bytes: 0 },
): ArchivedFile[] {
  const names = new Set<string>();
  const filter = ({
    name,
    size,
    originalSize,
    compression,
  }: {
    name: string;
    size: number;
    originalSize: number;
    compression: number;
  }) => {
    sum.entries += 1;
    if (sum.entries > importLimits.entries)
      throw new ImportError(`The archive has more than ${importLimits.entries} files.`);
    if (name.endsWith("/")) return false;
    if (leaving.test(name)) {
      left("files whose names lead out of the archive");
      return false;
    }
    if (litter.test(name)) return false;
    if (kept.test(name)) {
      left("files in folders of other programs");
      return false;
    }
    if (!isWanted(name)) {
      left("files of other kinds");
      return false;
    }
    if (names.has(name)) left("files of a name that another file of the archive has");
    names.add(name);
    // A stored file is returned whole, whatever its declared size.
    if (compression === 0 && size !== originalSize) throw new ImportError(broken);
    sum.bytes += originalSize;
    // A very repetitive text is not a bomb as long as it is small.
    if (originalSize > Math.max(size * importLimits.ratio, importLimits.harmless))
      throw new ImportError(
        `“${name.slice(-80)}” says it unpacks to more than ${importLimits.ratio} times its size, ` +
          "as only a zip bomb does.",
      );
    if (sum.bytes > importLimits.unpacked)
      throw new ImportError(
        `The archive unpacks to more than ${megabytes(importLimits.unpacked)}. Import it in parts.`,
      );
    return true;
  };
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(broken);
  }
  return Object.entries(files).map(([name, content]) => ({
    path: readableName(name)
      .split(/[/\\]+/)
      .filter((part) => part !== "" && part !== "."),
    bytes: content,
  }));
}

/** Decodes a text file. */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length > importLimits.text)
    throw new ImportError(
      `A text of more than ${megabytes(importLimits.text)} is too large for a document.`,
    );
  return decodedText(bytes);
}
