import type { SupabaseClient } from "@supabase/supabase-js";
import { after } from "next/server";
import type { RestrictedSnapshot } from "@/components/document/restricted/restricted-page";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { versionAt, versionsBehind } from "@/events/read-models/version-rows";
import { newestThreads } from "@/events/read-models/thread-rows";
import { withLinks } from "./linked-documents";
import { serviceClient } from "@/supabase/server";
import { runFold, runIn } from "@/app/_server/workers/workers";

/** A tail longer than this is folded into a new snapshot once the page has been sent; a named version always is. */
const longestTail = 64;

/**
 * The present text with its comments, or that of a version with a name, for a reader who
 * may not read the log: the service folds it for them, and no state that says more than the text
 * leaves the server. Without a service key there is no text.
 */
export async function loadRestricted(
  client: SupabaseClient,
  row: DocumentRow,
  named: number | null,
  userId: string,
  workspace: readonly DocumentRow[] = [],
): Promise<RestrictedSnapshot> {
  const versions = await versionsBehind(client, row.id, null);
  const shown = named === null ? null : await versionAt(client, row.id, named);
  const service = serviceClient();
  if (!service)
    return {
      restricted: true,
      row,
      html: null,
      whole: true,
      version: row.version,
      versions,
      shown,
      restrictedComments: null,
      stoppedAt: null,
      linked: {},
    };
  // The comments first: the text that is read after them holds whatever they are about.
  const commentRows = shown ? null : await newestThreads(client, row.id);
  const asker = { client: service, service: true, owner: userId };
  const request = {
    document: row.id,
    at: shown?.at ?? null,
    light: true,
    seen: row.version,
    commentRows,
    longestTail: shown ? 0 : longestTail,
  };
  const { tail, ...folded } = await runFold("restricted", request, asker);
  if (tail > request.longestTail)
    after(() =>
      runIn(
        "heavy",
        "storeRestricted",
        { ...request, light: false, commentRows: null },
        // What it stores serves the next reader.
        { ...asker, signal: null },
      ),
    );
  // The service has folded the text; of what it links to its reader is told what they may see.
  const { html, linked } = await withLinks(client, workspace, folded.html);
  return { restricted: true, row, versions, shown, ...folded, html, linked };
}
