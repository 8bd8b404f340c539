import * as z from "zod/mini";
import { allRows, sorted } from "@/events/log/paged-rows";
import { parseRefusal } from "@/events/log/refusal";
import type { Refusal } from "@/events/log/refusal";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

export const invitationRow = z.pipe(
  z.object({
    id: z.string(),
    kind: z.enum(["email", "link"]),
    email: z.nullable(z.string()),
    role: z.enum(["editor", "commenter", "viewer"]),
    phase: z.string(),
    expires_at: z.nullable(z.string()),
    created_by: z.string(),
    created_at: z.string(),
  }),
  z.transform((row) => ({
    id: row.id,
    kind: row.kind,
    email: row.email,
    role: row.role,
    phase: row.phase,
    expiresAt: row.expires_at,
    createdBy: row.created_by,
    createdAt: row.created_at,
  })),
);
export type InvitationRow = z.output<typeof invitationRow>;

/** Reads a workspace's unanswered invitations, newest first. */
export async function openInvitations(rows: Rows, workspaceId: string): Promise<InvitationRow[]> {
  const open = () =>
    rows.from("invitations").select("*").eq("workspace_id", workspaceId).eq("phase", "open");
  return sorted(await allRows(open, ["id"], invitationRow), ({ createdAt }) => createdAt, -1);
}

const preview = z.object({
  workspaceId: z.string(),
  workspaceName: z.string(),
  inviterName: z.string(),
  kind: z.enum(["email", "link"]),
  email: z.nullable(z.string()),
  role: z.enum(["editor", "commenter", "viewer"]),
  phase: z.string(),
  expiresAt: z.nullable(z.string()),
});
export type InvitationPreview = z.infer<typeof preview>;

/** Reads the invitation that a token opens. Resolves to null for a wrong token. */
export async function previewInvitation(
  rows: Rows,
  invitation: string,
  token: string,
): Promise<InvitationPreview | null> {
  const answer = await rows.rpc("preview_invitation", { invitation, token });
  if (answer.error) throw faultOf(answer.error, answer.status);
  return answer.data === null ? null : preview.parse(answer.data);
}

type Answered = { ok: true } | { ok: false; refusal: Refusal };

/** Accepts or declines an invitation as the signed-in person. */
export async function answerInvitation(
  rows: Rows,
  answer: "accept" | "decline",
  invitation: string,
  token: string,
): Promise<Answered> {
  const { error, status } = await rows.rpc(`${answer}_invitation`, { invitation, token });
  if (!error) return { ok: true };
  const refusal = parseRefusal(error);
  if (!refusal) throw faultOf(error, status);
  return { ok: false, refusal };
}
