import { z } from "zod";
import type { InTurn } from "../http/call-turns";
import type { Caller } from "../auth/api-key";
import type { Call } from "../http/call";
import { signToken } from "../auth/tokens";

type Fetch = (request: Request) => Promise<Response>;

/** A call of Storage; `inTurn` runs each inner call to Supabase Lite in its own turn. */
export type StorageCall = Call & { inTurn: InTurn };

export type ReadableNames = (
  caller: Caller,
  operation: string,
  bucket: string,
  names: readonly string[],
) => Promise<ReadonlySet<string>>;

const mostSigned = 500;
/** Supabase's limit on the objects that one call removes. */
const mostRemoved = 1_000;
const key = z.string().max(1_024);

const signing = z.object({
  expiresIn: z
    .number()
    .min(1)
    .max(2 ** 31),
  paths: z.array(key).max(mostSigned),
});
const removal = z.object({ prefixes: z.array(key).max(mostRemoved) });
const removedRows = z.array(z.unknown());

/** Whether a call removes several objects, each with an inner call. */
export function removesMany({ head, url }: Pick<Call, "head" | "url">): boolean {
  return head.method === "DELETE" && removedFrom(url.pathname) !== null;
}

/** Returns the bucket in `DELETE /storage/v1/object/<bucket>`. */
function removedFrom(pathname: string): string | null {
  return bucketIn(/^\/storage\/v1\/object\/([^/]+)\/?$/, pathname);
}

/** Returns the bucket in a matching path, or null if the name is not valid UTF-8. */
export function bucketIn(pattern: RegExp, path: string): string | null {
  try {
    return decodeURIComponent(pattern.exec(path)?.[1] ?? "") || null;
  } catch {
    return null;
  }
}

/**
 * Signs URLs for many objects of a bucket. One statement finds the objects that the caller may
 * read, and the tokens are in Supabase Lite's format. `now` is in seconds.
 */
export async function signMany(
  { readable, jwtSecret }: { readable: ReadableNames; jwtSecret: string },
  caller: Caller,
  bucket: string,
  body: unknown,
  now: number,
): Promise<Response> {
  const asked = signing.safeParse(body);
  if (!asked.success) return badCall(`paths (at most ${mostSigned}) and expiresIn are required.`);
  const { paths, expiresIn } = asked.data;
  const names = await readable(caller, "storage.object.sign_many", bucket, paths);
  const answers = paths.map((path) => {
    if (!names.has(path))
      return {
        path,
        signedURL: null,
        error: "Either the object does not exist or you do not have access to it",
      };
    const claims = { sub: path, bucket, intent: "download", iat: now, exp: now + expiresIn };
    const address = `/object/sign/${bucket}/${path}`;
    return { path, signedURL: `${address}?token=${signToken(claims, jwtSecret)}`, error: null };
  });
  return Response.json(answers);
}

/**
 * Removes many objects of a bucket. One statement finds the objects that the caller can see, and a
 * call in its own turn removes each object. Stops if the caller disconnects.
 */
export async function removeMany(
  lite: Fetch,
  readable: ReadableNames,
  { url, caller, inTurn }: StorageCall,
  request: Request,
  body: unknown,
): Promise<Response> {
  const asked = removal.safeParse(body);
  if (!asked.success) return badCall(`prefixes (at most ${mostRemoved}) are required.`);
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const ask = (prefixes: string[]) =>
    inTurn(() =>
      lite(
        new Request(request.url, { method: "DELETE", headers, body: JSON.stringify({ prefixes }) }),
      ),
    );
  const bucket = removedFrom(url.pathname) ?? "";
  const names = await inTurn(() =>
    readable(caller, "storage.object.delete_many", bucket, asked.data.prefixes),
  );
  // Without names, Supabase Lite still reports whether the bucket exists.
  if (names.size === 0) return ask([]);
  const removed: unknown[] = [];
  for (const name of names) {
    const response = await ask([name]);
    if (!response.ok) return response;
    removed.push(...removedRows.parse(await response.json()));
  }
  return Response.json(removed);
}

function badCall(message: string): Response {
  return Response.json({ statusCode: "400", error: "InvalidRequest", message }, { status: 400 });
}
