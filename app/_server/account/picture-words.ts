/** The reasons for refusing a person's picture, with HTTP status and message. */
const refusedPictures = {
  "signed-out": [401, "You are signed out. Your picture wasn’t changed; sign in and try again."],
  unreadable: [400, "This could not be read. Your picture wasn’t changed."],
  "no-service": [
    503,
    "This installation has no service key, without which no picture can be kept. Yours wasn’t changed.",
  ],
  empty: [422, "This file is empty. Your picture wasn’t changed; choose another one."],
  "too-large": [
    413,
    "A picture may have at most 25 MB. Yours wasn’t changed; choose a smaller one.",
  ],
  "too-many": [
    429,
    "Too many files of yours are on their way. Your picture wasn’t changed; try again when some have arrived.",
  ],
  "too-many-pictures": [
    429,
    "You changed your picture very often. This time it wasn’t changed; try again in half an hour.",
  ],
  "upload-missing": [409, "The picture did not arrive whole. Yours wasn’t changed; try again."],
  "not-an-image": [
    422,
    "This is no image that a page can show. Your picture wasn’t changed; choose a PNG, JPEG, GIF, WebP or AVIF.",
  ],
  "too-many-pixels": [
    422,
    "This image has more than 80 million pixels. Your picture wasn’t changed; choose a smaller one.",
  ],
  "too-slow": [
    422,
    "This image takes too long to decode. Your picture wasn’t changed; choose a smaller one.",
  ],
  "no-disk": [
    507,
    "The disk of this installation is almost full. Your picture wasn’t changed; ask its operator to make room.",
  ],
  "called-off": [499, "The upload was called off. Your picture wasn’t changed."],
} as const satisfies Record<string, readonly [status: number, sentence: string]>;

export type RefusedPicture = keyof typeof refusedPictures;

/** Returns the response that refuses a picture. */
export function refusedPicture(name: RefusedPicture): Response {
  const [status, message] = refusedPictures[name];
  return Response.json({ ok: false, name, message }, { status });
}
