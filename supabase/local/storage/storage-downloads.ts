import { contentDisposition } from "../../content-disposition";

/**
 * Adapts an object's response to the request: adds a file name (`?download=` or `?download=name`),
 * and supports a single `Range`.
 */
export async function asDownload(
  request: Request,
  { searchParams }: Readonly<URL>,
  response: Response,
): Promise<Response> {
  if (!response.ok || response.headers.get("etag") === null) return response;
  const headers = new Headers(response.headers);
  const name = searchParams.get("download");
  if (name !== null) headers.set("content-disposition", disposition(name));
  const length = Number(headers.get("content-length"));
  const range = rangeOf(request, headers.get("etag"), length);
  if (range === null) return new Response(response.body, { status: response.status, headers });
  headers.set("accept-ranges", "bytes");
  if (range === "unsatisfiable") {
    await response.body?.cancel();
    headers.set("content-range", `bytes */${length}`);
    headers.delete("content-length");
    return new Response(null, { status: 416, headers });
  }
  const { first, last } = range;
  headers.set("content-range", `bytes ${first}-${last}/${length}`);
  headers.set("content-length", String(last - first + 1));
  const body =
    request.method === "HEAD" ? null : (response.body?.pipeThrough(slice(first, last)) ?? null);
  return new Response(body, { status: 206, headers });
}

/** Returns a Content-Disposition that saves the file, under a name if the request has one. */
function disposition(encodedName: string): string {
  const name = decoded(encodedName);
  if (name === "") return "attachment";
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  return contentDisposition("attachment", name, ascii);
}

/** Decodes the name of a signed URL, which supabase-js encodes twice. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Range = { first: number; last: number };

/** Returns the requested range; null for the whole, or if `If-Range` names another version. */
function rangeOf(
  { headers }: Request,
  etag: string | null,
  length: number,
): Range | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  const condition = headers.get("if-range");
  if ((from === "" && to === "") || (condition !== null && condition !== etag)) return null;
  const first = from === "" ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === "" || to === "" ? length - 1 : Math.min(Number(to), length - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null;
  return first < length && first <= last ? { first, last } : "unsatisfiable";
}

/** Creates a stream that passes the bytes from `first` to `last`. */
function slice(first: number, last: number): TransformStream<Uint8Array, Uint8Array> {
  let at = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const bytes = new Uint8Array(chunk);
      const part = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at));
      at += bytes.byteLength;
      if (part.byteLength > 0) controller.enqueue(part);
      if (at > last) controller.terminate();
    },
  });
}
