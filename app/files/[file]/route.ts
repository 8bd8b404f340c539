import { isUuid } from "@/events/core/ids/is-uuid";
import { contentDisposition } from "@/supabase/content-disposition";
import type { FoundFile } from "@/events/read-models/found-files";
import { identity } from "@/supabase/identity";
import { pageClient, serviceClient } from "@/supabase/server";
import { previewWidths } from "@/app/_server/files/image-sizes";
import { readableFile } from "@/app/_server/files/readable-file";
import { objectName, objectStream } from "@/app/_server/files/stored-files";

export const dynamic = "force-dynamic";

const nothing = () =>
  new Response(null, { status: 404, headers: { "cache-control": "private, no-store" } });

/** Headers that keep a file from acting as a page of this origin. */
const guard = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
};

function disposition({ type, name }: FoundFile, isDownload: boolean): string {
  const how = isDownload || type === "application/octet-stream" ? "attachment" : "inline";
  const plain = name.replace(/[^\w .()-]/g, "_");
  return contentDisposition(how, name, plain);
}

/** Returns the smallest preview that is wide enough, or null for the file itself. */
function previewFor({ type, width }: FoundFile, requestedWidth: string | null): number | null {
  const wanted = Number(requestedWidth ?? NaN);
  if (type === "application/octet-stream" || width === null) return null;
  const fitting = previewWidths.find((wide) => wide >= wanted);
  return fitting !== undefined && width > fitting ? fitting : null;
}

/**
 * Returns the bytes of a file, for people who may currently read a document that has it. Access is
 * checked on every request, and a browser's cached copy is used only after that. `?workspace=`
 * restricts the search to one workspace.
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  const { file } = await params;
  const client = await pageClient();
  const who = await identity(client);
  const service = serviceClient();
  if (!who || !service || !isUuid(file)) return nothing();
  const url = new URL(request.url);
  const workspace = url.searchParams.get("workspace");
  const found = await readableFile(client, service, who.userId, { file, workspace });
  if (!found) return nothing();
  const preview = previewFor(found, url.searchParams.get("w"));
  const tag = `"${found.sha256}${preview === null ? "" : `-${preview}`}"`;
  const headers = {
    ...guard,
    etag: tag,
    "cache-control": "private, no-cache",
    vary: "cookie",
    "content-disposition": disposition(found, url.searchParams.has("download")),
  };
  if (request.headers.get("if-none-match") === tag)
    return new Response(null, { status: 304, headers });
  const stored = (width: number | null) => objectStream(service, "files", objectName(found, width));
  const small = preview === null ? null : await stored(preview);
  const body = small ?? (await stored(null));
  if (!body) return nothing();
  return new Response(body, {
    headers: { ...headers, "content-type": small ? "image/webp" : found.type },
  });
}
