import type { SupabaseClient } from "@supabase/supabase-js";
import { after } from "next/server";
import type { RestrictedSnapshot } from "@/components/document/restricted/restricted-page";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { versionAt, versionsBehind } from "@/events/read-models/version-rows";
import { newestThreads } from "@/events/read-models/thread-rows";
import { withLinks } from "./linked-documents";
import { serviceClient } from "@/supabase/server";
import { runFold, runIn } from "@/app/_server/workers/workers";

/**
 * The longest tail that is not stored. A longer one, and every named version, becomes a snapshot
 * after the page is sent.
 */
const longestTail = 64;

/**
 * Loads the current text with its comments, or a named version, for a reader who may not read the
 * log. The service folds the text, and no state beyond the text leaves the server. Without a
 * service key there is no text.
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
  // Comments are read before the text, so that the text contains every passage they refer to.
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
        // The snapshot that this fold stores serves later readers too.
        { ...asker, signal: null },
      ),
    );
  // The service folded the text, so link titles are looked up under the reader's own rights.
  const { html, linked } = await withLinks(client, workspace, folded.html);
  return { restricted: true, row, versions, shown, ...folded, html, linked };
}
