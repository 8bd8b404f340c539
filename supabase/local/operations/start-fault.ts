import { codeOf } from "./stored-text";

/** What the text of PostgreSQL's programs says of an error of the operating system. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, "ENOSPC"],
  [/Disk quota exceeded/, "EDQUOT"],
  [/Read-only file system/, "EROFS"],
  [/Permission denied|Operation not permitted/, "EACCES"],
  [/Input\/output error/, "EIO"],
  [/Too many open files/, "EMFILE"],
];

/** The same by the SQLSTATE of an error of the database. */
const databaseSentences: Readonly<Record<string, string>> = {
  "25006":
    "The database is read-only: it is a standby, or default_transaction_read_only is on. Make it writable and start again.",
  "53100": "The disk of the database is full. Make room on it and start again.",
  "58030": "The disk of the database fails (58030). Check the disk, then start again.",
};

/**
 * Runs a start. Where the data folder or the database cannot be written or read, it throws one
 * sentence that says what happened and what to do, in place of the error of the operating system.
 */
export async function withStartFaults<T>(folder: string, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const sentence = startFault(error, folder);
    if (sentence === null || process.env.DEBUG) throw error;
    throw new Error(sentence);
  }
}

/** The sentence for an error of a start on a data folder; null where the error speaks for itself. */
export function startFault(error: unknown, folder: string): string | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error) ?? "";
  if (error.name === "PostgresError") return databaseSentences[code] ?? null;
  const path = pathIn(error, folder);
  if (path !== null && /^E(?!PIPE|CONN)[A-Z]/.test(code)) return folderSentence(code, path, folder);
  if (/^The database (could not be made|server ended)/.test(error.message)) {
    const found = texts.find(([text]) => text.test(error.message))?.[1];
    if (found) return folderSentence(found, `${folder}/postgres`, folder);
  }
  return startFault(error.cause, folder);
}

function folderSentence(code: string, path: string, folder: string): string {
  switch (code) {
    case "EROFS":
      return `The data folder ${folder} cannot be written: its file system is read-only. Mount it writable and start again.`;
    case "EACCES":
    case "EPERM":
      return `The data folder ${folder} cannot be used: permission denied for ${path}. Give it to the user who starts Palimpsest, then start again.`;
    case "ENOSPC":
      return `The disk with the data folder ${folder} is full. Make room on it and start again.`;
    case "EDQUOT":
      return `The disk quota for the data folder ${folder} is used up. Make room or raise the quota, then start again.`;
    case "EIO":
      return `The disk with the data folder ${folder} fails (EIO at ${path}). Check the disk, then start again.`;
    case "EMFILE":
    case "ENFILE":
      return `The data folder ${folder} cannot be used: too many files are open. Raise the limit (ulimit -n) and start again.`;
    case "EEXIST":
    case "ENOTDIR":
      return `The data folder ${folder} cannot be used: ${path} is a file where a folder belongs. Move it away, or name another folder with DATA_DIR.`;
    // What Node says of a folder to be made where the file system is read-only, too.
    case "ENOENT":
      return `The data folder ${folder} cannot be made or read: ${path} is not there, or a folder above it cannot be written. Mount it writable, or name another folder with DATA_DIR.`;
    case "EISDIR":
      return `The data folder ${folder} cannot be used: ${path} is a folder where a file belongs. Move it away and start again.`;
    default:
      return `The data folder ${folder} cannot be used (${code} at ${path}). Put it in order, or name another folder with DATA_DIR.`;
  }
}

/** What is done to an open file: its error names no path. */
const ofOpenFiles = new Set<unknown>(["read", "write", "fsync", "fdatasync", "ftruncate", "close"]);

/**
 * The path that an error names, where that is in the folder or leads to it. The files that a start
 * has open are those of the folder, so that an error without a path is of one of them.
 */
function pathIn(error: Error, folder: string): string | null {
  const path = "path" in error ? error.path : undefined;
  if (typeof path !== "string")
    return "syscall" in error && ofOpenFiles.has(error.syscall) ? folder : null;
  const isIn = path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
  return isIn ? path : null;
}
