import * as z from "zod/mini";
import { allRows, readRows, sorted } from "@/events/log/paged-rows";
import { faultOf } from "@/events/log/store";
import { pictureAddress } from "./person";
import type { Rows } from "./rows";

export const memberRow = z.pipe(
  z.object({
    user_id: z.string(),
    role: z.enum(["owner", "editor", "commenter", "viewer"]),
    phase: z.string(),
    name: z.nullable(z.string()),
    color: z.int(),
    given_color: z.int(),
    email: z.nullable(z.string()),
    picture: z.nullable(z.string()),
    joined_at: z.string(),
  }),
  z.transform((row) => ({
    userId: row.user_id,
    role: row.role,
    phase: row.phase,
    email: row.email,
    color: row.color,
    givenColor: row.given_color,
    picture: pictureAddress(row.user_id, row.picture),
    joinedAt: row.joined_at,
    // An account without a name is shown by its email address.
    name: row.name || row.email || "Somebody",
  })),
);
export type MemberRow = z.output<typeof memberRow>;

/** Reads all current and former members, longest-standing first. */
export async function membersOf(rows: Rows, workspaceId: string): Promise<MemberRow[]> {
  const all = () => rows.from("members").select("*").eq("workspace_id", workspaceId);
  return sorted(await allRows(all, ["user_id"], memberRow), ({ joinedAt }) => joinedAt);
}

/**
 * Reads one person's membership. Resolves to null for a person who was never a member, or whom the
 * reader may not see.
 */
export async function memberOf(
  rows: Rows,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | null> {
  const one = rows.from("members").select("*").eq("workspace_id", workspaceId);
  return readRows(await one.eq("user_id", userId), memberRow)[0] ?? null;
}

const departure = z.object({ phase: z.string(), by: z.string(), at: z.string() });
/** The end of a membership. `by` is the name of the person who ended it. */
export type Departure = z.infer<typeof departure>;

/** Reads how the reader's membership of a workspace ended, or null if it did not end. */
export async function readDeparture(rows: Rows, workspaceId: string): Promise<Departure | null> {
  const answer = await rows.rpc("read_departure", { workspace: workspaceId });
  if (answer.error) throw faultOf(answer.error, answer.status);
  return answer.data === null ? null : departure.parse(answer.data);
}
