import { z } from "zod";
import { streamOf, withBody } from "./http";
import { BadForm, firstFile } from "./multipart";
import { foldListing, listRequest, listRow } from "./storage-listing";

type Fetch = (request: Request) => Promise<Response>;

const base = "/storage/v1";
const signedSchema = z.looseObject({ signedUrl: z.string() });
const manySchema = z.object({ expiresIn: z.number(), paths: z.array(z.string()).max(500) });

/** Answers `/storage/v1`: Lite, with those answers and forms mended that supabase-js cannot use. */
export function answerStorage(lite: Fetch): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    const path = url.pathname.slice(base.length);
    const posted = request.method === "POST";
    if (posted && /^\/object\/upload\/sign\/[^/]+\/./.test(path))
      return signed(await lite(request), "url");
    if (posted && /^\/object\/sign\/[^/]+\/./.test(path))
      return signed(await lite(request), "signedURL");
    if (posted && /^\/object\/sign\/[^/]+\/?$/.test(path))
      return signMany(lite, request, path.replace(/\/$/, ""));
    if (posted && /^\/object\/list\/[^/]+\/?$/.test(path)) return list(lite, request);
    const upload = (posted || request.method === "PUT") && path.startsWith("/object/");
    if (
      upload &&
      request.headers.get("content-type")?.toLowerCase().startsWith("multipart/form-data")
    ) {
      const plain = await withoutForm(request);
      return plain instanceof Response ? plain : lite(plain);
    }
    return lite(request);
  };
}

/**
 * supabase-js sends a Blob in a form, in a field without a name; Lite looks for one named "file",
 * and for all of it at once. Sent as bytes, both agree.
 */
async function withoutForm(request: Request): Promise<Request | Response> {
  if (!request.body) return badForm("An upload has a body");
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
    streamOf(form.body),
  );
}

function badForm(message: string): Response {
  return Response.json({ statusCode: "400", error: "InvalidRequest", message }, { status: 400 });
}

/**
 * Lite names a signed address from the root of the server; supabase-js adds `/storage/v1` itself
 * and expects another name.
 */
async function signed(response: Response, name: "url" | "signedURL"): Promise<Response> {
  if (!response.ok) return response;
  const answer = signedSchema.parse(await response.json());
  return Response.json({ ...answer, [name]: answer.signedUrl.replace(base, "") });
}

/** Lite takes a request for many as one for an object without a name. */
async function signMany(lite: Fetch, request: Request, path: string): Promise<Response> {
  const parsed = manySchema.safeParse(await request.json().catch(() => null));
  if (!parsed.success)
    return Response.json(
      { statusCode: "400", error: "InvalidRequest", message: "Say which paths and for how long." },
      { status: 400 },
    );
  const { paths, expiresIn } = parsed.data;
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const answers = await Promise.all(
    paths.map(async (object) => {
      const url = new URL(
        `${base}${path}/${object.split("/").map(encodeURIComponent).join("/")}`,
        request.url,
      );
      const response = await lite(
        new Request(url, { method: "POST", headers, body: JSON.stringify({ expiresIn }) }),
      );
      if (!response.ok)
        return {
          path: object,
          signedURL: null,
          error: "Either the object does not exist or you do not have access to it",
        };
      const { signedUrl } = signedSchema.parse(await response.json());
      return { path: object, signedURL: signedUrl.replace(base, ""), error: null };
    }),
  );
  return Response.json(answers);
}

/** Lite lists every object below a prefix; Supabase lists one folder, and folders in it. */
async function list(lite: Fetch, request: Request): Promise<Response> {
  const parsed = listRequest.safeParse(await request.json().catch(() => null));
  if (!parsed.success)
    return Response.json(
      { statusCode: "400", error: "InvalidRequest", message: "Say which folder." },
      { status: 400 },
    );
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  const folder = parsed.data.prefix.replace(/^\/+|\/+$/g, "");
  const body = JSON.stringify({ prefix: folder ? `${folder}/` : "", limit: 10_000, offset: 0 });
  const response = await lite(new Request(request.url, { method: "POST", headers, body }));
  if (!response.ok) return response;
  return Response.json(
    foldListing(z.array(listRow).parse(await response.json()), folder, parsed.data),
  );
}
