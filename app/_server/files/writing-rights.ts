import type { SupabaseClient } from "@supabase/supabase-js";
import { isUuid } from "@/events/core/ids/is-uuid";
import { documentById } from "@/events/read-models/document-rows";
import { readFileRoom, readOwnFileRoom } from "@/events/read-models/file-room";
import { memberOf } from "@/events/read-models/member-rows";
import { mayEmit } from "@/machines/catalog";
import { identity } from "@/supabase/identity";
import { serviceClient } from "@/supabase/server";
import type { RefusedFile } from "./file-words";

/** A person who uploads a file to this service. */
export type Uploader = { userId: string; service: SupabaseClient };
export type Writer = Uploader & { workspace: string };

/**
 * Returns the caller if they may add files to the document now, or else the reason. The database
 * checks the right again when it records the file.
 */
export async function fileWriter(
  client: SupabaseClient,
  document: string,
): Promise<Writer | RefusedFile> {
  const who = await identity(client);
  if (!who) return "signed-out";
  if (!isUuid(document)) return "unreadable";
  const row = await documentById(client, document);
  const own = row && (await memberOf(client, row.workspaceId, who.userId));
  if (!row || own?.phase !== "active" || row.phase !== "live") return "not-permitted";
  const asking = { phase: "absent", role: own.role, isSelf: false, isAuthor: false };
  if (!mayEmit("file.attached", asking)) return "not-permitted";
  const service = serviceClient();
  return service ? { userId: who.userId, workspace: row.workspaceId, service } : "no-service";
}

/** Returns which quota lacks room for `bytes` more, the workspace's or the caller's, or null. */
export async function whyNoRoom(
  client: SupabaseClient,
  workspace: string,
  bytes: number,
): Promise<"no-room" | "no-own-room" | null> {
  const [room, own] = await Promise.all([readFileRoom(client, workspace), readOwnFileRoom(client)]);
  if (room === null || bytes > room.most - room.bytes) return "no-room";
  return bytes > own.most - own.bytes ? "no-own-room" : null;
}
