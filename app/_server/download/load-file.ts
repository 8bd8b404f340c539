import type { SupabaseClient } from "@supabase/supabase-js";
import type { FileKind } from "@/events/formats/file-kinds";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { memberOf } from "@/events/read-models/member-rows";
import { workspaceById } from "@/events/read-models/workspace-rows";
import { seesEverything } from "@/machines/history-visibility";
import type { MadeFile } from "@/app/_server/workers/download-task";
import { runFold, runIn } from "@/app/_server/workers/workers";
import { BudgetSpent } from "@/app/_server/workers/task";
import { isSmallFile } from "./file-cost";
import { shownImages } from "./shown-images";
import { serviceClient } from "@/supabase/server";

/** The caller who requests a file. The signal aborts when they disconnect. */
type Reader = { client: SupabaseClient; userId: string; signal: AbortSignal };

/** The file made from a document, or the reason why it was not made. */
export type LoadedFile = MadeFile | { failed: "hidden" | "stopped" | "no-service" };

/**
 * Writes a document's current text to a file for a reader, under their own rights. For a reader who
 * may read the text but not its log, the service reads it. The file contains no history.
 */
export async function loadFile(
  { client, userId, signal }: Reader,
  row: DocumentRow,
  kind: FileKind,
  origin: string,
): Promise<LoadedFile> {
  const [member, workspace] = await Promise.all([
    memberOf(client, row.workspaceId, userId),
    workspaceById(client, row.workspaceId),
  ]);
  if (member?.phase !== "active" || !workspace) return { failed: "hidden" };
  const isWhole = seesEverything(member.role, workspace.history);
  const service = isWhole ? null : serviceClient();
  if (!isWhole && !service) return { failed: "no-service" };
  const { text, linked, images, stopped } = await runFold(
    "fileText",
    { document: row.id, at: null, light: true, kind },
    { client: service ?? client, service: service !== null, owner: userId, signal },
  );
  if (stopped) return { failed: "stopped" };
  const title = row.title.trim() === "" ? "Untitled" : row.title;
  const storage = serviceClient();
  const pictures = { workspace: row.workspaceId, files: images };
  const shown =
    storage === null || kind === "md" ? [] : await shownImages(client, storage, userId, pictures);
  const input = { kind, title, icon: row.icon, text, linked, images: shown, origin };
  const asker = { client, service: false, owner: userId, signal };
  if (!isSmallFile(kind, text, shown.length)) return runIn("files", "file", input, asker);
  try {
    return await runIn("smallFiles", "file", input, asker);
  } catch (error) {
    // The text costs more than its letter count suggests, as deeply nested tables do.
    if (!(error instanceof BudgetSpent)) throw error;
    return runIn("files", "file", input, asker);
  }
}
