import type { SupabaseClient } from "@supabase/supabase-js";
import { newToken } from "@/events/core/ids/invitation-token";
import { schemaVersion } from "@/events/content/schema";
import { systemRandom } from "@/events/core/clock";
import type { Proposal } from "@/events/core/envelope";
import { typedEvent } from "@/events/core/event-types";
import type { BodyOf, EventType } from "@/events/core/event-types";
import { readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { forkOf } from "@/events/revisions/fork";
import { supabaseStore } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { bodyOf } from "@/events/core/recorded-body";
import { uuidV5 } from "@/events/core/ids/uuid";
import type { DemoPerson } from "@/machines/demo/demo-steps";
import { demoFork, demoInside } from "@/machines/demo/demo-pages";
import {
  demoForkEvents,
  demoGuideDocument,
  demoOtherDocuments,
  demoSession,
} from "@/machines/demo/demo-session";
import type { DemoDocument } from "@/machines/demo/demo-session";
import type { DemoEvent } from "@/machines/demo/demo-stage";
import { firstWorkspaceId } from "@/machines/session/first-workspace";
import { demoEmails, demoPassword } from "@/supabase/demo-people";
import { visitorClient } from "@/supabase/visitor";

const workspaceName = "Thornbury Village Library";
const people = {
  ana: { email: demoEmails.ana, name: "Ana Marić" },
  ben: { email: demoEmails.ben, name: "Ben Okafor" },
} satisfies Record<DemoPerson, { email: string; name: string }>;
const mostEvents = 100;
/** The time in milliseconds between the newest event and the arrival of the reader. */
const sinceThen = 4 * 60_000;
const hour = 3_600_000;

type SignedIn = { userId: string; client: SupabaseClient; store: Store };

async function signIn(who: DemoPerson): Promise<SignedIn> {
  const client = visitorClient();
  const { email, name } = people[who];
  const known = await client.auth.signInWithPassword({ email, password: demoPassword });
  const user =
    known.data.user ??
    (await client.auth.signUp({ email, password: demoPassword, options: { data: { name } } })).data
      .session?.user;
  if (!user)
    throw new Error(
      `The demo account ${name} could not sign in or sign up: ${known.error?.message ?? ""}`,
    );
  return { userId: user.id, client, store: supabaseStore(client) };
}

async function append(
  { store }: SignedIn,
  stream: string,
  expected: number | null,
  proposals: Proposal[],
): Promise<void> {
  const answer = await store.append(stream, expected, proposals);
  if (!answer.ok)
    throw new Error(`A demo event was refused: ${answer.refusal.name} ${answer.refusal.detail}`);
}

function step<T extends EventType>(stream: string, type: T, body: BodyOf<T>): Proposal {
  return { id: uuidV5(stream, type), ...typedEvent(type, body) };
}

async function introduce(person: SignedIn, who: DemoPerson): Promise<void> {
  const { userId } = person;
  const { name } = people[who];
  await append(person, userId, null, [step(userId, "account.created", {})]);
  await append(person, userId, null, [
    step(userId, "account.profile_changed", { name, color: null }),
  ]);
}

/** Lets Ben join through an invitation link, which is then closed. */
async function letIn(ana: SignedIn, ben: SignedIn, workspaceId: string): Promise<void> {
  const members = await ben.client
    .from("members")
    .select("user_id")
    .eq("workspace_id", workspaceId)
    .eq("user_id", ben.userId);
  if ((members.data ?? []).length > 0) return;
  const invitation = systemRandom.uuid();
  const about = { kind: "invitation", id: invitation };
  const { token, tokenHash } = await newToken();
  const body: BodyOf<"invitation.created"> = {
    kind: "link",
    email: null,
    role: "editor",
    expiresAt: null,
    tokenHash,
  };
  await append(ana, workspaceId, null, [
    { id: systemRandom.uuid(), type: "invitation.created", body, subject: about },
  ]);
  const { error } = await ben.client.rpc("accept_invitation", { invitation, token });
  if (error) throw new Error(`The demo account Ben could not join: ${error.message}`);
  await append(ana, workspaceId, null, [
    { id: systemRandom.uuid(), type: "invitation.revoked", body: {}, subject: about },
  ]);
}

function proposalOf(
  documentId: string,
  index: number,
  start: number,
  { who: _who, at, edits, clientIds, about, ...event }: DemoEvent,
): Proposal {
  const moved = edits.map(({ update, time }) => ({ update, time: start + time }));
  return {
    id: uuidV5(documentId, `${index}`),
    ...(event.type === "comment.added"
      ? { type: event.type, body: { ...event.body, thread: uuidV5(documentId, event.body.thread) } }
      : event),
    ...(about && { subject: { kind: about.kind, id: uuidV5(documentId, about.key) } }),
    clientTime: new Date(start + at).toISOString(),
    ...(edits.length > 0 && { update: encodeEdits(moved), clientIds, schema: schemaVersion }),
  };
}

/** Returns the start time of a list of events whose last one happened `ago` hours before now. */
function beginning(events: readonly DemoEvent[], ago: number): number {
  return Date.now() - (events.at(-1)?.at ?? 0) - ago * hour - sinceThen;
}

/** Appends the events of several people in order, each under the author's own session. */
async function layEvents(
  id: string,
  events: readonly DemoEvent[],
  start: number,
  writers: Record<DemoPerson, SignedIn>,
): Promise<void> {
  let batch: { who: DemoPerson; proposals: Proposal[] } | null = null;
  for (const [index, event] of events.entries()) {
    if (batch !== null && (batch.who !== event.who || batch.proposals.length >= mostEvents)) {
      await append(writers[batch.who], id, null, batch.proposals);
      batch = null;
    }
    batch ??= { who: event.who, proposals: [] };
    batch.proposals.push(proposalOf(id, index, start, event));
  }
  if (batch !== null) await append(writers[batch.who], id, null, batch.proposals);
}

async function lay(
  { key, title, icon, ago, events }: DemoDocument,
  workspaceId: string,
  writers: Record<DemoPerson, SignedIn>,
): Promise<string> {
  const id = uuidV5(workspaceId, key);
  const start = beginning(events, ago);
  const clientTime = new Date(start).toISOString();
  await append(writers.ana, id, 0, [
    { ...step(id, "document.created", { workspaceId, title }), clientTime },
    { ...step(id, "document.icon_set", { emoji: icon }), clientTime },
  ]);
  await layEvents(id, events, start, writers);
  return id;
}

/** Forks the session at a named version, as the player's button does, and writes in the fork. */
async function layFork(
  source: string,
  workspaceId: string,
  writers: Record<DemoPerson, SignedIn>,
): Promise<string> {
  const { store } = writers[demoFork.who];
  const rows = await store.read(source, 0);
  const named = rows.map((row) => bodyOf(row, "version.named"));
  const version = named.find((body) => body?.name === demoFork.version)?.at;
  if (version === undefined) throw new Error(`The demo has no version “${demoFork.version}”`);
  const pieces = forkOf(rows.slice(0, version), source);
  const base = pieces.flatMap(({ update }) =>
    decodeEdits(readCopyIn(update)?.payload ?? update, 0).map((edit) => edit.update),
  );
  const events = demoForkEvents(base, 2 + pieces.length);
  const id = uuidV5(workspaceId, "fork");
  const start = beginning(events, demoFork.ago);
  const clientTime = new Date(start).toISOString();
  await append(writers[demoFork.who], id, 0, [
    { ...step(id, "document.created", { workspaceId, title: demoFork.title }), clientTime },
    ...pieces.map((piece, index) => ({
      id: uuidV5(id, `forked ${index}`),
      ...typedEvent("document.forked", { document: source, version }),
      schema: schemaVersion,
      clientTime,
      ...piece,
    })),
    { ...step(id, "document.icon_set", { emoji: demoFork.icon }), clientTime },
  ]);
  await layEvents(id, events, start, writers);
  return id;
}

/** Moves documents under a parent, in this order. */
async function layInside(
  parent: string,
  documents: readonly string[],
  writer: SignedIn,
): Promise<void> {
  for (const [index, id] of documents.entries()) {
    const after = documents[index - 1] ?? null;
    await append(writer, id, null, [step(id, "document.moved", { parent, after })]);
  }
}

/**
 * Creates the demo workspace through the same requests as any client: two people sign up, one
 * invites the other, and each appends their own events. Idempotent, also after a partial run.
 */
export async function makeDemoWorkspace(): Promise<{ workspaceId: string; documents: string[] }> {
  const writers = { ana: await signIn("ana"), ben: await signIn("ben") };
  const workspaceId = firstWorkspaceId(writers.ana.userId);
  await introduce(writers.ana, "ana");
  await append(writers.ana, workspaceId, 0, [
    step(workspaceId, "workspace.created", { name: workspaceName }),
  ]);
  // Ben already has a profile, so the app creates no workspace for him.
  await introduce(writers.ben, "ben");
  await letIn(writers.ana, writers.ben, workspaceId);
  const documents: string[] = [];
  // The list is ordered by the latest change: the guide, then the session that it describes.
  for (const document of demoOtherDocuments())
    documents.push(await lay(document, workspaceId, writers));
  const session = await lay(demoSession(), workspaceId, writers);
  const fork = await layFork(session, workspaceId, writers);
  documents.push(fork, session);
  const inside = demoInside.map((key) => uuidV5(workspaceId, key));
  await layInside(session, [fork, ...inside], writers.ben);
  documents.push(await lay(demoGuideDocument(), workspaceId, writers));
  // These two sessions belong to no device, so they must not appear in a session list.
  for (const { client } of [writers.ana, writers.ben])
    await client.auth.signOut({ scope: "local" });
  return { workspaceId, documents };
}
