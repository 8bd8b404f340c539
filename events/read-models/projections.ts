/**
 * Typed reads of the tables that append keeps beside the log, under the reader's own rights: what
 * the law forbids to see is simply not there. The same functions serve server components and the
 * browser.
 */
import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import { allRows, inParts, readRows, sorted } from "@/events/log/paged-rows";
import { parseRefusal, type Refusal } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";

/** The part of a Supabase client that reads. */
export type Rows = Pick<SupabaseClient, "from" | "rpc">;

const workspaceRow = z.pipe(
  z.object({
    id: z.string(),
    name: z.string(),
    phase: z.string(),
    version: z.int(),
    created_by: z.string(),
    created_at: z.string(),
    viewer_history: z.enum(["versions", "everything"]),
    commenter_history: z.enum(["versions", "everything"]),
  }),
  z.transform((row) => ({
    id: row.id,
    name: row.name,
    phase: row.phase,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    history: { viewer: row.viewer_history, commenter: row.commenter_history },
  })),
);
export type WorkspaceRow = z.output<typeof workspaceRow>;

const memberRow = z.pipe(
  z.object({
    user_id: z.string(),
    role: z.enum(["owner", "editor", "commenter", "viewer"]),
    phase: z.string(),
    name: z.nullable(z.string()),
    color: z.int(),
    given_color: z.int(),
    email: z.nullable(z.string()),
    joined_at: z.string(),
  }),
  z.transform((row) => ({
    userId: row.user_id,
    role: row.role,
    phase: row.phase,
    email: row.email,
    color: row.color,
    givenColor: row.given_color,
    joinedAt: row.joined_at,
    // An account that has not said its name yet is known by its address.
    name: row.name || row.email || "Somebody",
  })),
);
export type MemberRow = z.output<typeof memberRow>;
type Role = MemberRow["role"];

const invitationRow = z.pipe(
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

const documentRow = z.pipe(
  z.object({
    id: z.string(),
    workspace_id: z.string(),
    title: z.string(),
    icon: z.nullable(z.string()),
    phase: z.string(),
    version: z.int(),
    created_by: z.string(),
    created_at: z.string(),
    updated_by: z.string(),
    updated_at: z.string(),
    edits: z.int(),
    forked_from: z.nullable(z.string()),
    forked_at: z.nullable(z.int()),
  }),
  z.transform((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    title: row.title,
    icon: row.icon,
    phase: row.phase,
    version: row.version,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
    edits: row.edits,
    forkedFrom: row.forked_from,
    forkedAt: row.forked_at,
  })),
);
export type DocumentRow = z.output<typeof documentRow>;

const versionRow = z.pipe(
  z.object({
    id: z.string(),
    document_id: z.string(),
    at: z.int(),
    name: z.string(),
    pinned: z.boolean(),
    created_by: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
  z.transform((row) => ({
    id: row.id,
    documentId: row.document_id,
    at: row.at,
    name: row.name,
    pinned: row.pinned,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  })),
);
/** A named version: `at` is the version of the document's stream that it stands for. */
export type VersionRow = z.output<typeof versionRow>;

const membership = z.object({ workspace_id: z.string() });
const writers: readonly Role[] = ["owner", "editor"];

/** The workspaces whose active member the reader is, by name. */
export function myWorkspaces(rows: Rows, userId: string): Promise<WorkspaceRow[]> {
  return workspacesOf(rows, userId, [...writers, "commenter", "viewer"]);
}

/** The workspaces in which the reader may begin documents, by name. */
export function workspacesToWriteIn(rows: Rows, userId: string): Promise<WorkspaceRow[]> {
  return workspacesOf(rows, userId, writers);
}

async function workspacesOf(
  rows: Rows,
  userId: string,
  roles: readonly Role[],
): Promise<WorkspaceRow[]> {
  const mine = () =>
    rows
      .from("members")
      .select("workspace_id")
      .eq("user_id", userId)
      .eq("phase", "active")
      .in("role", roles);
  const found = await inParts(
    (await allRows(mine, ["workspace_id"], membership)).map((row) => row.workspace_id),
    async (ids) => readRows(await rows.from("workspaces").select("*").in("id", ids), workspaceRow),
  );
  return found.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** One workspace; null when there is none, or none for this reader. */
export async function workspaceById(rows: Rows, id: string): Promise<WorkspaceRow | null> {
  return readRows(await rows.from("workspaces").select("*").eq("id", id), workspaceRow)[0] ?? null;
}

/** Everybody who is or was a member, longest-standing first. */
export async function membersOf(rows: Rows, workspaceId: string): Promise<MemberRow[]> {
  const all = () => rows.from("members").select("*").eq("workspace_id", workspaceId);
  return sorted(await allRows(all, ["user_id"], memberRow), ({ joinedAt }) => joinedAt);
}

/** One person's membership; null for who never was a member, or where the reader may not see it. */
export async function memberOf(
  rows: Rows,
  workspaceId: string,
  userId: string,
): Promise<MemberRow | null> {
  const one = rows.from("members").select("*").eq("workspace_id", workspaceId);
  return readRows(await one.eq("user_id", userId), memberRow)[0] ?? null;
}

/** The invitations of a workspace that nobody has answered yet, newest first. */
export async function openInvitations(rows: Rows, workspaceId: string): Promise<InvitationRow[]> {
  const open = () =>
    rows.from("invitations").select("*").eq("workspace_id", workspaceId).eq("phase", "open");
  return sorted(await allRows(open, ["id"], invitationRow), ({ createdAt }) => createdAt, -1);
}

/** The documents of a workspace, live and trashed, last changed first. */
export async function documentsOf(rows: Rows, workspaceId: string): Promise<DocumentRow[]> {
  const all = () => rows.from("documents").select("*").eq("workspace_id", workspaceId);
  return sorted(await allRows(all, ["id"], documentRow), ({ updatedAt }) => updatedAt, -1);
}

/** The named documents as far as the reader may see them. */
export function documentsById(rows: Rows, ids: readonly string[]): Promise<DocumentRow[]> {
  return inParts(ids, async (some) =>
    readRows(await rows.from("documents").select("*").in("id", some), documentRow),
  );
}

/**
 * The documents that began as copies of these, as far as the reader may see them, in whatever
 * workspace, oldest first.
 */
export async function forksOf(rows: Rows, ids: readonly string[]): Promise<DocumentRow[]> {
  const forks = await inParts(ids, (some) =>
    allRows(() => rows.from("documents").select("*").in("forked_from", some), ["id"], documentRow),
  );
  return sorted(forks, ({ createdAt }) => createdAt);
}

/** One document; null when there is none, or none for this reader. */
export async function documentById(rows: Rows, id: string): Promise<DocumentRow | null> {
  return (await documentsById(rows, [id]))[0] ?? null;
}

/** The named versions of a document, the latest revision first, of one revision the latest name. */
export async function versionsOf(rows: Rows, documentId: string): Promise<VersionRow[]> {
  const all = () => rows.from("versions").select("*").eq("document_id", documentId);
  const versions = await allRows(all, ["id"], versionRow);
  return sorted(versions, ({ createdAt }) => createdAt, -1).sort((a, b) => b.at - a.at);
}

/** What a person calls themselves; empty for an account that has not said it yet. */
export async function accountName(rows: Rows, userId: string): Promise<string> {
  const [account] = readRows(
    await rows.from("accounts").select("name").eq("user_id", userId),
    z.object({ name: z.string() }),
  );
  return account?.name ?? "";
}

const departure = z.object({ phase: z.string(), by: z.string(), at: z.string() });
/** How a membership ended: `by` is the name of who ended it. */
export type Departure = z.infer<typeof departure>;

/** How the reader's membership of a workspace ended; null if it did not, or never was. */
export async function readDeparture(rows: Rows, workspaceId: string): Promise<Departure | null> {
  const answer = await rows.rpc("read_departure", { workspace: workspaceId });
  if (answer.error) throw new StoreFault(answer.error.message, answer.status);
  return answer.data === null ? null : departure.parse(answer.data);
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

/** What the holder of a token is invited to; null without the right token. */
export async function previewInvitation(
  rows: Rows,
  invitation: string,
  token: string,
): Promise<InvitationPreview | null> {
  const answer = await rows.rpc("preview_invitation", { invitation, token });
  if (answer.error) throw new StoreFault(answer.error.message, answer.status);
  return answer.data === null ? null : preview.parse(answer.data);
}

type Answered = { ok: true } | { ok: false; refusal: Refusal };

/** Accepts or declines an invitation as the person who is signed in. */
export async function answerInvitation(
  rows: Rows,
  answer: "accept" | "decline",
  invitation: string,
  token: string,
): Promise<Answered> {
  const { error, status } = await rows.rpc(`${answer}_invitation`, { invitation, token });
  if (!error) return { ok: true };
  const refusal = parseRefusal(error);
  if (!refusal) throw new StoreFault(error.message, status);
  return { ok: false, refusal };
}

const changeRow = z.object({
  stream_id: z.string(),
  version: z.int(),
  type: z.string(),
  actor_id: z.string(),
  recorded_at: z.string(),
});
type ChangeRow = z.infer<typeof changeRow>;

/**
 * What happened last in a document: the event's type, or for writing how long its last sitting took; and the shape of
 * its recent past, at most 30 bars between 0 and 1, oldest first.
 */
export type LastChange = {
  type: string;
  actorId: string;
  at: string;
  minutes: number;
  bars: readonly number[];
};

const recentEvents = 1000;
const sitting = 10 * 60_000;
const longestPause = 60_000;
const barCount = 30;
const fewest = 12;

/** The last change of each document of a workspace, as far as its last thousand events tell. */
export async function recentChanges(
  rows: Rows,
  workspaceId: string,
): Promise<Record<string, LastChange>> {
  const events = rows.from("events").select("stream_id,version,type,actor_id,recorded_at");
  const recent = events.eq("workspace_id", workspaceId).eq("stream_kind", "document");
  const read = readRows(
    await recent.order("position", { ascending: false }).limit(recentEvents),
    changeRow,
  );
  const streams = new Map<string, ChangeRow[]>();
  for (const row of read) {
    const stream = streams.get(row.stream_id);
    if (stream) stream.push(row);
    else streams.set(row.stream_id, [row]);
  }
  return Object.fromEntries(
    [...streams].flatMap(([id, newestFirst]) =>
      lastChange(newestFirst).map((change) => [id, change]),
    ),
  );
}

/** The last change of one document, as far as its last few hundred events tell; null for one without events. */
async function recentChange(rows: Rows, documentId: string): Promise<LastChange | null> {
  const events = rows
    .from("events")
    .select("stream_id,version,type,actor_id,recorded_at")
    .eq("stream_id", documentId);
  return (
    lastChange(
      readRows(
        await events.order("version", { ascending: false }).limit(recentEvents / 4),
        changeRow,
      ),
    )[0] ?? null
  );
}

/** So many documents are asked about one by one. */
const oneByOne = 20;

/** The last changes of some documents of a workspace, as far as `recentChange` and `recentChanges` tell. */
export async function changesOf(
  rows: Rows,
  workspaceId: string,
  ids: readonly string[],
): Promise<Record<string, LastChange>> {
  // After a night without a network that may be all of them.
  if (ids.length > oneByOne) {
    const asked = new Set(ids);
    const all = Object.entries(await recentChanges(rows, workspaceId));
    return Object.fromEntries(all.filter(([id]) => asked.has(id)));
  }
  const answers = await Promise.all(
    ids.map(async (id) => [id, await recentChange(rows, id)] as const),
  );
  return Object.fromEntries(answers.flatMap(([id, change]) => (change ? [[id, change]] : [])));
}

function lastChange(newestFirst: readonly ChangeRow[]): LastChange[] {
  const [last] = newestFirst;
  if (!last) return [];
  let began = Date.parse(last.recorded_at);
  for (const row of newestFirst) {
    const time = Date.parse(row.recorded_at);
    if (row.type !== last.type || row.actor_id !== last.actor_id || began - time > sitting) break;
    began = time;
  }
  const minutes = Math.round((Date.parse(last.recorded_at) - began) / 60_000);
  const { type, actor_id: actorId, recorded_at: at } = last;
  const written = newestFirst
    .filter((row) => row.type === "document.edited")
    .map((row) => Date.parse(row.recorded_at));
  return [{ type, actorId, at, minutes, bars: density(written.reverse()) }];
}

/**
 * How densely revisions lie, as bars of equal length in time with pauses cut short; the fullest bar
 * is 1. Too few say nothing.
 */
function density(times: readonly number[]): number[] {
  let offset = 0;
  const played = times.map((time, at) => {
    const before = times[at - 1] ?? time;
    offset += Math.min(time - before, longestPause);
    return offset;
  });
  if (played.length < fewest) return [];
  const width = Math.max(offset, 1) / barCount;
  const counts = new Array<number>(barCount).fill(0);
  for (const position of played) {
    const bar = Math.min(barCount - 1, Math.floor(position / width));
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return counts.map((count) => count / most);
}
