/** Supabase features that Supabase Lite lacks. */
const notOffered: readonly (readonly [RegExp, string])[] = [
  [/^\/object\/list-v2(\/|$)/, "listV2"],
  [/^\/render(\/|$)/, "transformed images"],
  [/^\/upload\/resumable(\/|$)/, "resumable uploads"],
  [/^\/s3(\/|$)/, "the protocol of S3"],
];

/** Returns a refusal for Storage paths of unsupported features, or null for other paths. */
export function pathRefusal(path: string): Response | null {
  const [, name] = notOffered.find(([pattern]) => pattern.test(path)) ?? [];
  if (name !== undefined)
    return storageAnswer(501, "NotSupported", `The embedded backend does not offer ${name}.`);
  // Supabase Lite would store the object under the encoded name.
  if (/%(23|25|3f)/i.test(path))
    return storageAnswer(400, "InvalidKey", "An object key must not contain #, % or ?.");
  return null;
}

/**
 * Returns the path in the form that Supabase Lite uses. Lite does not support `authenticated`, and
 * does not decode characters that a path may contain unencoded.
 */
export function litePath(path: string): string {
  return path
    .replace(/^\/object\/authenticated\//, "/object/")
    .replace(/^\/object\/info\/(authenticated|public)\//, "/object/info/")
    .replace(/%(21|24|26|27|28|29|2a|2b|2c|3a|3b|3d|40)/gi, (sign) => decodeURIComponent(sign));
}

function storageAnswer(status: number, error: string, message: string): Response {
  return Response.json({ statusCode: String(status), error, message, code: error }, { status });
}
