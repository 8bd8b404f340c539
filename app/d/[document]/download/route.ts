import { isUuid } from "@/events/core/ids/is-uuid";
import { contentDisposition } from "@/supabase/content-disposition";
import { fileKinds, isFileKind } from "@/events/formats/file-kinds";
import { fileStem } from "@/events/formats/writing/file-stem";
import { documentById } from "@/events/read-models/document-rows";
import { loadFile } from "@/app/_server/download/load-file";
import type { LoadedFile } from "@/app/_server/download/load-file";
import { BudgetSpent, CallerGone } from "@/app/_server/workers/task";
import { identity } from "@/supabase/identity";
import { pageClient } from "@/supabase/server";

export const dynamic = "force-dynamic";

const mostLetters = 12;

const refused = (status: number, message: string) => Response.json({ message }, { status });

function siteOf({ headers, url }: Request): string {
  const { protocol, host } = new URL(url);
  const scheme = headers.get("x-forwarded-proto") ?? protocol.slice(0, -1);
  return `${scheme === "https" ? "https" : "http"}://${headers.get("host") ?? host}`;
}

function failure(file: Exclude<LoadedFile, { bytes: Uint8Array }>): Response {
  if ("missing" in file) {
    const letters = file.missing.slice(0, mostLetters).join(" ");
    return refused(
      422,
      `A PDF can’t show some letters of this document yet: ${letters}. Word, HTML and Markdown hold all of them.`,
    );
  }
  switch (file.failed) {
    case "hidden":
      return refused(404, "This document can’t be read any more.");
    case "no-service":
      return refused(503, "This installation has no service key, so the text can’t be read here.");
    case "stopped":
      return refused(
        409,
        "A change made this document too large to open, so a file would hold only a part of it. " +
          "Ask an owner to remove the changes that are too large.",
      );
  }
}

/** Returns the current text of a document as a file in the format `as`, for its readers. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ document: string }> },
): Promise<Response> {
  const { document } = await params;
  const client = await pageClient();
  const who = await identity(client);
  const kind = new URL(request.url).searchParams.get("as");
  if (!isFileKind(kind)) return refused(400, "There is no such kind of file.");
  const row = who && isUuid(document) ? await documentById(client, document) : null;
  if (!who || !row || row.phase === "purged") return new Response(null, { status: 404 });
  const { signal } = request;
  try {
    const file = await loadFile({ client, userId: who.userId, signal }, row, kind, siteOf(request));
    if (!("bytes" in file)) return failure(file);
    return new Response(new Uint8Array(file.bytes), {
      headers: {
        "content-type": fileKinds[kind],
        "content-disposition": contentDisposition(
          "attachment",
          `${fileStem(row.title)}.${kind}`,
          `document.${kind}`,
        ),
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
        "content-security-policy": "sandbox; default-src 'none'",
      },
    });
  } catch (error) {
    if (error instanceof CallerGone) return new Response(null, { status: 499 });
    if (!(error instanceof BudgetSpent)) throw error;
    return refused(
      503,
      "This document is too large to be made into such a file. Markdown takes the least.",
    );
  }
}
