/** The reasons for refusing a file, with HTTP status and message. */
export const refusedFiles = {
  "signed-out": [401, "You are signed out. The file stays on this device; sign in and try again."],
  unreadable: [400, "This could not be read. Nothing was added."],
  "not-permitted": [403, "You may not add files here. Nothing was added; ask an owner for access."],
  "no-service": [
    503,
    "This installation has no service key, without which no file can be kept. Nothing was added.",
  ],
  "not-found": [
    404,
    "An image or file of what was pasted can’t be read by you where it was copied from, so this " +
      "document did not get it. Add it here from your device.",
  ],
  empty: [422, "This file is empty. Nothing was added; choose another one."],
  "too-large": [413, "A file may have at most 25 MB. Nothing was added; choose a smaller one."],
  "no-room": [
    413,
    "The files of this workspace take all the room there is for them. Nothing was added; " +
      "delete documents with files permanently, or add a smaller one.",
  ],
  "no-own-room": [
    413,
    "Your files take all the room that an account has in all workspaces. Nothing was added; " +
      "delete documents with files of yours permanently, or add a smaller one.",
  ],
  "too-many": [
    429,
    "Too many files of yours are on their way. This one stays on this device; try again when some have arrived.",
  ],
  "too-many-copies": [
    429,
    "Too many files of yours are on their way, so this document did not get an image or file of " +
      "what was pasted. Paste it again when some have arrived.",
  ],
  "upload-missing": [409, "The file did not arrive whole. It stays on this device; try again."],
  differs: [
    422,
    "This is not the file that the history names: its bytes are others. Nothing was added; have the " +
      "document exported once more.",
  ],
  "not-an-image": [
    422,
    "This is no image that a page can show. Nothing was added; add it as a file instead.",
  ],
  "too-many-pixels": [
    422,
    "This image has more than 80 million pixels. Nothing was added; make it smaller, or add it as a file instead.",
  ],
  "too-slow": [
    422,
    "This image takes too long to decode. Nothing was added; make it smaller, or add it as a file instead.",
  ],
  "no-disk": [
    507,
    "The disk of this installation is almost full. Nothing was added; ask its operator to make room.",
  ],
  "called-off": [499, "The upload was called off. Nothing was added."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type RefusedFile = keyof typeof refusedFiles;

/** Returns the response that refuses a file. */
export function refusedFile(name: RefusedFile): Response {
  const [status, message] = refusedFiles[name];
  return Response.json({ ok: false, name, message }, { status });
}
