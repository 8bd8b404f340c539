import { codeOf } from "./stored-text";

/** OS error messages in PostgreSQL's output, and their codes. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/No space left on device/, "ENOSPC"],
  [/Disk quota exceeded/, "EDQUOT"],
  [/Read-only file system/, "EROFS"],
  [/Permission denied|Operation not permitted/, "EACCES"],
  [/Input\/output error/, "EIO"],
  [/Too many open files/, "EMFILE"],
];

/** Messages by the SQLSTATE of a database error. */
const databaseSentences: Readonly<Record<string, string>> = {
  "25006":
    "The database is read-only: it is a standby, or default_transaction_read_only is on. Make it writable and start again.",
  "53100": "The disk of the database is full. Make room on it and start again.",
  "58030": "The disk of the database fails (58030). Check the disk, then start again.",
};

/**
 * Runs a start. If the data folder or the database cannot be read or written, replaces the system's
 * error with a message that says what happened and what to do.
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

/** Returns the message for a failed start, or null if the error is clear by itself. */
export function startFault(error: unknown, folder: string): string | null {
  if (!(error instanceof Error)) return null;
  const code = codeOf(error) ?? "";
  if (error.name === "PostgresError") return databaseSentences[code] ?? null;
  const path = pathIn(error, folder);
  if (path !== null && /^E(?!PIPE|CONN)[A-Z]/.test(code)) return folderSentence(code, path, folder);
  if (/^The database (could not be created|server ended)/.test(error.message)) {
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
    // Node also reports this for mkdir on a read-only file system.
    case "ENOENT":
      return `The data folder ${folder} cannot be made or read: ${path} is not there, or a folder above it cannot be written. Mount it writable, or name another folder with DATA_DIR.`;
    case "EISDIR":
      return `The data folder ${folder} cannot be used: ${path} is a folder where a file belongs. Move it away and start again.`;
    default:
      return `The data folder ${folder} cannot be used (${code} at ${path}). Put it in order, or name another folder with DATA_DIR.`;
  }
}

/** Operations on open files, whose errors have no path. */
const ofOpenFiles = new Set<unknown>(["read", "write", "fsync", "fdatasync", "ftruncate", "close"]);

/**
 * Returns the path of an error, if the path is inside the folder or an ancestor of it. A start only
 * opens files of the folder, so an error without a path is about one of these files.
 */
function pathIn(error: Error, folder: string): string | null {
  const path = "path" in error ? error.path : undefined;
  if (typeof path !== "string")
    return "syscall" in error && ofOpenFiles.has(error.syscall) ? folder : null;
  const isIn = path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
  return isIn ? path : null;
}
