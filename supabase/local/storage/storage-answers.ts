import { z } from "zod";

const errorSchema = z.looseObject({
  statusCode: z.string(),
  error: z.string(),
  message: z.string(),
});

/** Supabase's error codes, which clients distinguish, by Lite's messages. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/^object not found/i, "NoSuchKey"],
  [/^bucket not found/i, "NoSuchBucket"],
  [/already exists/i, "ResourceAlreadyExists"],
  [/maximum allowed size/i, "EntityTooLarge"],
  [/^mime type .* is not supported/i, "InvalidMimeType"],
];

/** Adds Supabase's error code to a Storage response. Successful responses stay unchanged. */
export async function withCode(response: Response): Promise<Response> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  // A response to HEAD has a content type but no body.
  if (response.ok || !isJson || response.body === null) return response;
  const body: unknown = await response.json();
  const error = errorSchema.safeParse(body);
  const [, code] = (error.success && codes.find(([text]) => text.test(error.data.message))) || [];
  const mended = error.success && code !== undefined ? { ...error.data, code } : body;
  return Response.json(mended, { status: response.status });
}

/** Returns the refusal of a signed URL. */
export function invalidAddress(why: "expired" | "invalid"): Response {
  const message =
    why === "expired" ? '"exp" claim timestamp check failed' : "signature verification failed";
  return storageError(400, "InvalidJWT", message, "InvalidJWT");
}

/** Returns the refusal of an object that exceeds its bucket's limit. */
export function tooLargeForBucket(most: number): Response {
  const message = `The object exceeded the maximum allowed size of ${most} bytes`;
  return storageError(413, "Payload too large", message, "EntityTooLarge");
}

function storageError(status: number, error: string, message: string, code: string): Response {
  // Storage sends status 400 for all of these errors, with the actual status in the body.
  return Response.json({ statusCode: String(status), error, message, code }, { status: 400 });
}
