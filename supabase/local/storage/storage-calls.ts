import { z } from "zod";
import type { Caller } from "../auth/api-key";
import { BodyTooLarge, streamOf, withBody } from "../http/http";
import { bucketIn, removeMany, removesMany, signMany } from "./many-paths";
import type { ReadableNames, StorageCall } from "./many-paths";
import { BadForm, firstFile } from "../http/multipart";
import { invalidAddress, tooLargeForBucket, withCode } from "./storage-answers";
import { asDownload } from "./storage-downloads";
import { litePath, pathRefusal } from "./addresses";
import { listRequest } from "./folder-listing";
import type { FolderEntries } from "./folder-listing";
import { asObjectInfo } from "./object-info";
import { answerAnnounced } from "./announced-uploads";
import type { UploadWays } from "./announced-uploads";
import { signedAddress } from "../auth/tokens";

type Fetch = (request: Request) => Promise<Response>;

const base = "/storage/v1";
const copySchema = z.object({
  bucketId: z.string(),
  destinationBucket: z.string().optional(),
  destinationKey: z.string(),
});
const signedSchema = z.looseObject({ signedUrl: z.string() });

type StorageOptions = {
  lite: Fetch;
  jwtSecret: string;
  /** The size limit of a bucket's objects in bytes, or null without a limit. */
  limitOf: (bucket: string) => Promise<number | null>;
  /** Finds the objects that a caller may read. */
  readable: ReadableNames;
  /** Lists a folder as a caller sees it. */
  entries: FolderEntries;
  uploads: UploadWays;
};

type AnswerStorage = (call: StorageCall, request: Request) => Promise<Response>;

/**
 * Answers `/storage/v1` with Lite, and converts forms and responses that supabase-js and Lite
 * handle differently. `request` is the call with its body.
 */
export function answerStorage(options: StorageOptions): AnswerStorage {
  const answer = answerMended(options);
  return async (call, request) => {
    const { pathname, href } = call.url;
    const path = pathname.slice(base.length);
    const refused = pathRefusal(path);
    if (refused) return refused;
    const forLite = litePath(path);
    if (forLite === path) return withCode(await answer(call, request));
    const url = new URL(href);
    url.pathname = base + forLite;
    return withCode(await answer({ ...call, url }, new Request(url, request)));
  };
}

function answerMended(options: StorageOptions): AnswerStorage {
  const { lite, jwtSecret, limitOf, uploads } = options;
  return async (call, request) => {
    const { url } = call;
    const path = url.pathname.slice(base.length);
    const posted = request.method === "POST";
    if (request.method === "GET" || request.method === "HEAD") {
      if (/^\/object\/sign\/[^/]+\/./.test(path)) {
        const token = url.searchParams.get("token") ?? "";
        const address = signedAddress(token, "download", jwtSecret, Date.now() / 1000);
        if (address !== "valid") return invalidAddress(address);
      }
      if (path.startsWith("/object/info/")) return asObjectInfo(await lite(request));
      return path.startsWith("/object/")
        ? asDownload(request, url, await lite(request))
        : lite(request);
    }
    // With PUT, such a URL receives the object itself.
    const announced = await answerAnnounced(lite, request, url, uploads);
    if (announced) return announced;
    const isUploadByAddress = request.method === "PUT" && path.startsWith("/object/upload/sign/");
    if ((calls.test(path) || removesMany(call)) && !isUploadByAddress)
      return answerCall(options, call, request, path);
    const upload = (posted || request.method === "PUT") && path.startsWith("/object/");
    if (
      upload &&
      request.headers.get("content-type")?.toLowerCase().startsWith("multipart/form-data")
    ) {
      const bucket = bucketOf(path);
      if (bucket === null) return badForm("The bucket name is not valid UTF-8.");
      const most = await limitOf(bucket);
      let isTooLarge = false;
      const plain = await withoutForm(request, most ?? Infinity, () => (isTooLarge = true));
      if (plain instanceof Response) return plain;
      const response = await lite(plain);
      return isTooLarge && most !== null ? tooLargeForBucket(most) : response;
    }
    return lite(request);
  };
}

/** Paths whose body has JSON parameters instead of an object. */
const calls = /^\/(bucket|object\/(copy|move|list|sign|upload\/sign))(\/|$)/;

async function answerCall(
  options: StorageOptions,
  call: StorageCall,
  request: Request,
  path: string,
): Promise<Response> {
  const { lite, readable } = options;
  const { method, url, headers } = request;
  const body = await request.text();
  if (body !== "" && parsed(body) === undefined) return badForm("The request body must be JSON.");
  const read = () => withBody(new Request(url, { method, headers }), Buffer.from(body));
  // The service takes no turns.
  if (removesMany(call) && call.caller.kind !== "service")
    return removeMany(lite, readable, call, request, parsed(body));
  if (method !== "POST") return lite(read());
  if (path === "/object/copy") return copy(await lite(read()), parsed(body));
  if (/^\/object\/upload\/sign\/[^/]+\/./.test(path))
    return mendedAddress(await lite(read()), "url");
  if (/^\/object\/sign\/[^/]+\/./.test(path)) return mendedAddress(await lite(read()), "signedURL");
  const signed = bucketIn(/^\/object\/sign\/([^/]+)\/?$/, path);
  if (signed !== null)
    return signMany(options, call.caller, signed, parsed(body), Math.floor(Date.now() / 1000));
  const listed = bucketIn(/^\/object\/list\/([^/]+)\/?$/, path);
  if (listed !== null) return list(options, call.caller, read(), listed);
  return lite(read());
}

/**
 * Replaces a form by its file. supabase-js sends a Blob in a multipart field without a name. Lite
 * expects a field named "file" and buffers it. Both support raw bytes.
 */
async function withoutForm(
  request: Request,
  most: number,
  exceeded: () => void,
): Promise<Request | Response> {
  if (!request.body) return badForm("The upload has no body");
  const form = await firstFile(
    request.body.values(),
    request.headers.get("content-type") ?? "",
  ).catch((error: unknown) => {
    if (error instanceof BadForm) return error;
    throw error;
  });
  if (form instanceof BadForm || form === null)
    return badForm(form?.message ?? "The form has no file");
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const seconds = form.fields.get("cacheControl");
  const metadata = form.fields.get("metadata");
  headers.set("content-type", form.type ?? "application/octet-stream");
  if (seconds !== undefined && /^\d{1,10}$/.test(seconds))
    headers.set("cache-control", `max-age=${seconds}`);
  if (metadata !== undefined) headers.set("x-metadata", Buffer.from(metadata).toString("base64"));
  return withBody(
    new Request(request.url, { method: request.method, headers }),
    streamOf(atMost(form.body, most, exceeded)),
  );
}

/** Yields the chunks of a body, and throws after `most` bytes. */
async function* atMost(
  body: AsyncGenerator<Uint8Array>,
  most: number,
  exceeded: () => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > most) {
      exceeded();
      throw new BodyTooLarge();
    }
    yield chunk;
  }
}

/** Returns the bucket in an object's path, or null if the path cannot be decoded. */
function bucketOf(path: string): string | null {
  return bucketIn(/^\/object\/(?:upload\/sign\/)?([^/]+)/, path);
}

/** Adds the new key to the response to a copy: Lite sends no body, supabase-js expects the key. */
function copy(response: Response, body: unknown): Response {
  const parsed = copySchema.safeParse(body);
  if (!response.ok || !parsed.success) return response;
  const { bucketId, destinationBucket, destinationKey } = parsed.data;
  return Response.json({ Key: `${destinationBucket ?? bucketId}/${destinationKey}` });
}

/** Parses JSON, or returns undefined if the text is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function badForm(message: string): Response {
  return Response.json({ statusCode: "400", error: "InvalidRequest", message }, { status: 400 });
}

/**
 * Converts a signed URL: Lite returns it from the server's root, but supabase-js adds `/storage/v1`
 * itself and expects another field.
 */
async function mendedAddress(response: Response, name: "url" | "signedURL"): Promise<Response> {
  if (!response.ok) return response;
  const answer = signedSchema.parse(await response.json());
  return Response.json({ ...answer, [name]: answer.signedUrl.replace(base, "") });
}

/** Lists one folder and its subfolders, as Supabase does. Lite lists all objects below a prefix. */
async function list(
  { lite, entries }: StorageOptions,
  caller: Caller,
  request: Request,
  bucket: string,
): Promise<Response> {
  const parsed = listRequest.safeParse(await request.json().catch(() => null));
  if (!parsed.success)
    return Response.json(
      { statusCode: "400", error: "InvalidRequest", message: "A folder is required." },
      { status: 400 },
    );
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const folder = parsed.data.prefix.replace(/^\/+|\/+$/g, "");
  // Lite checks here that the bucket exists.
  const body = JSON.stringify({ prefix: folder ? `${folder}/` : "", limit: 1, offset: 0 });
  const response = await lite(new Request(request.url, { method: "POST", headers, body }));
  if (!response.ok) return response;
  return Response.json(await entries(caller, bucket, folder, parsed.data));
}
