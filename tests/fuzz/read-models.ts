import { expect } from "vitest";
import { subjectOf, subjectsOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import { account } from "@/machines/account";
import { comment } from "@/machines/comment";
import { document } from "@/machines/document";
import type { DocumentTree } from "@/machines/tree-path";
import { file } from "@/machines/file";
import { invitation } from "@/machines/invitation";
import { member } from "@/machines/member";
import { thread } from "@/machines/thread";
import { version } from "@/machines/version";
import { workspace } from "@/machines/workspace";
import type { TestDatabase } from "@/tests/support/database/database";

type FoldOf = (stream: string) => StreamFold;

const iso = (date: unknown) => (date instanceof Date ? date.toISOString() : null);
const toMilliseconds = (time: string) => new Date(time).toISOString();

/** Compares every read model of a stream with its fold. */
export async function compareReadModels(
  db: TestDatabase,
  foldOf: FoldOf,
  stream: string,
): Promise<void> {
  const fold = foldOf(stream);
  const phases = await db.sql<
    { key: string; phase: string }[]
  >`select kind || ':' || id as key, phase from private.subjects where stream_id = ${stream}`;
  expect(Object.fromEntries(phases.map(({ key, phase }) => [key, phase]))).toEqual(
    Object.fromEntries(Object.entries(fold.subjects).map(([key, { phase }]) => [key, phase])),
  );
  const [w] = await db.sql`select * from workspaces where id = ${stream}`;
  if (w) {
    const { phase, state } = subjectOf(fold, workspace, stream);
    expect({ ...w, created_at: iso(w.created_at), updated_at: null }).toEqual({
      id: stream,
      name: state.name,
      phase,
      version: String(fold.version),
      created_by: state.createdBy,
      created_at: toMilliseconds(state.createdAt),
      updated_at: null,
      viewer_history: state.history.viewer,
      commenter_history: state.history.commenter,
    });
    const members =
      await db.sql`select user_id as id, phase, role, joined_at, given_color as color, color as worn
        from members where workspace_id = ${stream} order by 1`;
    for (const row of members)
      expect(row.worn).toBe(
        subjectOf(foldOf(String(row.id)), account, String(row.id)).state.color ?? row.color,
      );
    expect(
      members.map(({ worn: _, ...row }) => ({ ...row, joined_at: iso(row.joined_at) })),
    ).toEqual(
      subjectsOf(fold, member)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, folded }) => ({
          id,
          phase: folded.phase,
          role: folded.state.role,
          joined_at: toMilliseconds(folded.state.joinedAt),
          color: folded.state.color,
        })),
    );
    const invitations =
      await db.sql`select id, phase, kind, email, role, created_by from invitations where
        workspace_id = ${stream} order by 1`;
    expect([...invitations]).toEqual(
      subjectsOf(fold, invitation)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, folded: { phase, state } }) => ({
          id,
          phase,
          kind: state.kind,
          email: state.email,
          role: state.role,
          created_by: state.createdBy,
        })),
    );
  }
  const [d] =
    await db.sql`select title, icon, template, phase, version, created_by, edits, workspace_id, forked_from,
      forked_at::int from documents where id = ${stream}`;
  if (d) {
    const { phase, state } = subjectOf(fold, document, stream);
    expect(d).toEqual({
      title: state.title,
      icon: state.icon,
      template: state.template,
      phase,
      version: String(fold.version),
      created_by: state.createdBy,
      edits: String(state.edits),
      workspace_id: state.workspaceId,
      forked_from: state.forkedFrom,
      forked_at: state.forkedAt,
    });
    const versions =
      await db.sql`select id, phase, at::int, name, pinned, created_by, created_at from versions
        where document_id = ${stream} order by 1`;
    expect(versions.map((row) => ({ ...row, created_at: iso(row.created_at) }))).toEqual(
      subjectsOf(fold, version)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, folded: { phase, state } }) => ({
          id,
          phase,
          at: state.at,
          name: state.name,
          pinned: phase === "pinned",
          created_by: state.createdBy,
          created_at: toMilliseconds(state.createdAt),
        })),
    );
  }
  const files = await db.sql`select id, sha256, bytes::int, name, type, width, height
    from private.files where document_id = ${stream} order by 1`;
  expect([...files]).toEqual(
    d?.phase === "purged"
      ? []
      : subjectsOf(fold, file)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map(({ id, folded: { state } }) => ({ id, ...state })),
  );
  await compareComments(db, fold, stream);
  const [a] =
    await db.sql`select name, color, picture, phase, version from accounts where user_id = ${stream}`;
  if (a) {
    const { phase, state } = subjectOf(fold, account, stream);
    expect(a).toEqual({
      name: state.name,
      color: state.color,
      picture: state.picture,
      phase,
      version: String(fold.version),
    });
    const named = await db.sql`
      select name, color, given_color, picture from members
      where user_id = ${stream} and ${state.name} <> ''`;
    for (const copy of named)
      expect(copy).toEqual({
        name: state.name,
        color: state.color ?? copy.given_color,
        given_color: copy.given_color,
        picture: state.picture,
      });
  }
}

/** Compares the document tree of a workspace with the fold of its events. */
export async function compareTree(
  db: TestDatabase,
  workspace: string,
  tree: DocumentTree,
): Promise<void> {
  const rows = await db.sql`select id, parent_id as parent, rank, phase from documents
    where workspace_id = ${workspace}`;
  expect(Object.fromEntries(rows.map(({ id, ...placed }) => [String(id), placed]))).toEqual(
    Object.fromEntries(tree),
  );
}

async function compareComments(db: TestDatabase, fold: StreamFold, stream: string): Promise<void> {
  const orNull = (time: string | null) => (time === null ? null : toMilliseconds(time));
  const threads =
    await db.sql`select id, phase, anchor_start, anchor_end, quote, opened_by, opened_at,
      opened_version::int, resolved_by, resolved_at from threads where document_id = ${stream} order by 1`;
  expect(
    threads.map((row) => ({
      ...row,
      opened_at: iso(row.opened_at),
      resolved_at: iso(row.resolved_at),
    })),
  ).toEqual(
    subjectsOf(fold, thread)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, folded: { phase, state } }) => ({
        id,
        phase,
        anchor_start: state.start,
        anchor_end: state.end,
        quote: state.quote,
        opened_by: state.openedBy,
        opened_at: toMilliseconds(state.openedAt),
        opened_version: state.openedVersion,
        resolved_by: state.resolvedBy,
        resolved_at: orNull(state.resolvedAt),
      })),
  );
  const comments =
    await db.sql`select id, phase, thread_id, text, author_id, added_at, edited_at from comments
      where document_id = ${stream} order by 1`;
  expect(
    comments.map((row) => ({ ...row, added_at: iso(row.added_at), edited_at: iso(row.edited_at) })),
  ).toEqual(
    subjectsOf(fold, comment)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, folded: { phase, state } }) => ({
        id,
        phase,
        thread_id: state.thread,
        text: state.text,
        author_id: state.authorId,
        added_at: toMilliseconds(state.addedAt),
        edited_at: orNull(state.editedAt),
      })),
  );
}

/** Every row of every read model. */
export async function readModels(db: TestDatabase): Promise<Record<string, unknown>> {
  const tables = [
    "accounts",
    "workspaces",
    "members",
    "invitations",
    "documents",
    "versions",
    "threads",
    "comments",
    "private.subjects",
    "private.invitation_tokens",
    "private.feeds",
  ];
  const contents = await Promise.all(
    tables.map(
      async (table) =>
        [
          table,
          [
            ...(await db.sql.unsafe(
              `select to_jsonb(x) as x from ${table} x order by to_jsonb(x)::text`,
            )),
          ].map(({ x }) => x as unknown),
        ] as const,
    ),
  );
  return Object.fromEntries(contents);
}
