import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Aggregate } from "@/events/log/aggregate";
import { phasesOf } from "@/events/log/aggregate";
import { toBase64 } from "@/events/core/bytes/base64";
import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import type { Json } from "@/events/core/envelope";
import { catalogueOf, emptyCatalogue, lawStatements } from "@/events/log/law-catalogue";
import { bringTombstone } from "@/events/crdt/payload/tombstone-payload";
import { aggregates, law, isEventType, mayEmit } from "@/machines/catalog";
import { roles } from "@/machines/member";
import type { Role } from "@/machines/member";
import { answered, testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { storedFile } from "@/tests/fuzz/random-proposal";
import { storeFile } from "@/tests/support/database/stored-file";
import {
  granted,
  join,
  newDocument,
  newToken,
  newWorkspace,
} from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let workspace: string;
let document: string;
const thread = randomUUID();
/** A document with only its creating event. */
let blank: string;
/** Its creating event. */
let begun: string;
let parent: string;
let child: string;
const users = new Map<Role | "stranger", User>();

beforeAll(async () => {
  db = await testDatabase();
  const ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  await storeFile(db, workspace, storedFile);
  granted(
    await db.append(ana, document, null, [
      {
        type: "thread.opened",
        subject: { kind: "thread", id: thread },
        body: { start: "AA==", end: "AA==", quote: "Words" },
      },
    ]),
  );
  parent = await newDocument(db, ana, workspace);
  child = randomUUID();
  blank = await newDocument(db, ana, workspace);
  begun = (await db.read(ana, blank))[0]?.id ?? "";
  const forked = {
    type: "document.forked",
    body: { document: blank, version: 1 },
    update: copyInPayload({ source: blank, payload: Uint8Array.of(0, 0) }),
  };
  granted(
    await db.append(ana, child, 0, [
      { type: "document.created", body: { workspaceId: workspace, title: "Fork" } },
      forked,
    ]),
  );
  for (const role of roles) {
    const user = db.newUser(role);
    await join(db, ana, workspace, user, role);
    users.set(role, user);
  }
  users.set("stranger", db.newUser("Mallory"));
});
afterAll(() => db.stop());

const bodies: Record<string, Json> = {
  "account.profile_changed": { name: "A", color: 1 },
  "account.picture_set": { picture: null },
  "auth.user_updated": { fields: ["email"] },
  "workspace.created": { name: "W" },
  "workspace.renamed": { name: "W" },
  "workspace.history_graded": { viewer: "versions", commenter: "everything" },
  "member.joined": { role: "viewer", invitationId: randomUUID(), color: 0 },
  "member.role_changed": { role: "commenter" },
  "invitation.created": {
    kind: "link",
    email: null,
    role: "viewer",
    expiresAt: null,
    tokenHash: newToken().tokenHash,
  },
  "document.renamed": { title: "T" },
  "document.icon_set": { emoji: "🌊" },
  "document.moved": { parent: null, after: null },
  "document.template_set": { template: true },
  "document.reverted": { toVersion: 1 },
  "document.step_imported": {
    version: 1,
    type: "document.edited",
    subject: null,
    phase: "live",
    author: 0,
    kept: "{}",
    text: "",
  },
  "document.reworked": { kind: "passage", author: null, from: null, to: 1, quote: "Q" },
  "file.attached": storedFile,
  "version.named": { at: 1, name: "V" },
  "version.renamed": { name: "V" },
  "thread.opened": { start: "AA==", end: "AA==", quote: "Words" },
  "comment.added": { thread, text: "Really?" },
  "comment.edited": { text: "Really." },
};

/** Bodies that name other documents and carry an update from them. */
const copyInBodies: Record<string, () => { [key: string]: Json } & { document: string }> = {
  "document.forked": () => ({ document: parent, version: 1 }),
  "document.merged": () => ({ document: child, version: 1 }),
  "document.imported": () => ({
    document: parent,
    version: 1,
    head: "a".repeat(64),
    bundle: "b".repeat(64),
    events: 1,
    label: "L",
    authors: [],
  }),
};

class Undo extends Error {}

/** Runs in a transaction that is rolled back. */
async function undone<T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> {
  const result: { value?: T } = {};
  await db.sql
    .begin(async (sql) => {
      result.value = await work(sql);
      throw new Undo();
    })
    .catch((error) => {
      if (!(error instanceof Undo)) throw error;
    });
  return result.value as T;
}

type Case = {
  aggregate: Aggregate;
  phase: string;
  type: string;
  stream: string;
  subject: string;
  actor: User;
  role: Role | null;
  isAuthor: boolean;
};

/** Forces the subject into the phase, and asks the database. */
async function ask(
  { aggregate, phase, type, stream, subject, actor, isAuthor }: Case,
  invited: boolean,
): Promise<string> {
  return undone(async (sql) => {
    const { kind } = aggregate;
    if (phase === "absent")
      await sql`delete from private.subjects where stream_id = ${stream} and kind = ${kind} and id = ${subject}`;
    else
      await sql`
        insert into private.subjects (stream_id, kind, id, phase, author_id, version) values
        (${stream}, ${kind}, ${subject}, ${phase}, ${isAuthor ? actor.id : randomUUID()}, 1)
        on conflict (stream_id, kind, id) do update set phase = excluded.phase, author_id = excluded.author_id`;
    if (kind === "account")
      await sql`insert into private.streams (id, kind) values (${stream}, 'account') on conflict do nothing`;
    if (kind === "document" && phase === "absent")
      await sql`delete from documents where id = ${stream}`;
    await sql`select set_config('request.jwt.claims',
      ${JSON.stringify({ sub: actor.id, role: "authenticated", email: actor.email })}, true)`;
    const copyInBody = copyInBodies[type]?.();
    const redacts = type === "document.redacted";
    const isStep = type === "document.step_imported";
    const before = isStep
      ? [
          {
            id: randomUUID(),
            type: "document.imported",
            body: JSON.stringify(copyInBodies["document.imported"]?.()),
            update: toBase64(copyInPayload({ source: parent, payload: Uint8Array.of(0, 0) })),
          },
        ]
      : [];
    const body =
      copyInBody ??
      (redacts
        ? { event: begun, reason: "R" }
        : type === "document.created"
          ? { workspaceId: workspace, title: "T" }
          : (bodies[type] ?? {}));
    const bytes = redacts
      ? bringTombstone(null)
      : copyInBody || isStep
        ? copyInPayload({ source: copyInBody?.document ?? parent, payload: Uint8Array.of(0, 0) })
        : Uint8Array.of(0, 0);
    const update = aggregate.updates.includes(type) ? { update: toBase64(bytes) } : {};
    // A step of a history follows its import, which the law (transition table) allows to the same
    // people in the same phases.
    const events = JSON.stringify([
      ...before,
      {
        id: randomUUID(),
        type,
        body: JSON.stringify(body),
        subject: { kind, id: subject },
        ...update,
      },
    ]);
    const call = invited
      ? sql`select private.append(${stream}, null, ${events}::text::jsonb, true)`
      : sql`select append_events(${stream}, null, ${events}::text::jsonb)`;
    return verdict(await answered(call));
  });
}

function expected(c: Case): string {
  const own = c.aggregate.kind === "account";
  if (c.role === null && !own) return "not-permitted";
  if (own && c.stream !== c.actor.id) return "not-permitted";
  if (!law.judge(c.aggregate.kind, c.phase, c.type).ok) return "illegal-transition";
  return isEventType(c.type) &&
    mayEmit(c.type, {
      phase: c.phase,
      role: c.role,
      isSelf: c.subject === c.actor.id,
      isAuthor: c.isAuthor,
    })
    ? "ok"
    : "not-permitted";
}

function* cases(aggregate: Aggregate): Generator<Case> {
  const streams: Record<string, string> = {
    workspace,
    document: aggregate.kind === "document" ? blank : document,
  };
  for (const phase of phasesOf(aggregate.machine).all)
    for (const type of Object.keys(aggregate.schemas))
      for (const [held, actor] of users)
        for (const isAuthor of [true, false])
          for (const isSelf of aggregate.kind === "member" || aggregate.kind === "account"
            ? [true, false]
            : [false]) {
            const other = users.get(held === "viewer" ? "commenter" : "viewer")?.id ?? "";
            const someone = isSelf ? actor.id : other;
            const stream =
              aggregate.kind === "account" ? someone : (streams[aggregate.streamKind] ?? "");
            const subject =
              aggregate.kind === "member"
                ? someone
                : aggregate.kind === aggregate.streamKind
                  ? stream
                  : randomUUID();
            yield {
              aggregate,
              phase,
              type,
              stream,
              subject,
              actor,
              role: held === "stranger" ? null : held,
              isAuthor,
            };
          }
}

describe("the database and the machines", () => {
  it.each(aggregates.map((aggregate) => [aggregate.kind, aggregate] as const))(
    "[LOG-12] agree on every phase, event and right of %s",
    async (_kind, aggregate) => {
      const seen: Record<string, number> = {};
      for (const c of cases(aggregate)) {
        // An existing stream has had its creating event; creating one has a test of its own below.
        if (
          c.phase === "absent" &&
          c.type === `${c.aggregate.streamKind}.created` &&
          c.aggregate.kind === "workspace"
        )
          continue;
        const got = await ask(c, false);
        const predicted = expected(c);
        seen[got] = (seen[got] ?? 0) + 1;
        expect({ ...c, aggregate: c.aggregate.kind, got }).toEqual({
          ...c,
          aggregate: c.aggregate.kind,
          got: predicted,
        });
      }
      expect(seen["illegal-transition"] ?? 0).toBeGreaterThan(0);
      expect(seen["not-permitted"] ?? 0).toBeGreaterThan(0);
      expect(seen.ok ?? 0).toBeGreaterThan(0);
    },
  );

  it("[LOG-12] agree on the rights of a person with an invitation's token", async () => {
    const mallory = users.get("stranger");
    if (!mallory) throw new Error("no stranger");
    const lent: string[] = [];
    for (const aggregate of aggregates.filter(({ streamKind }) => streamKind === "workspace"))
      for (const c of cases(aggregate)) {
        if (c.actor !== mallory || c.isAuthor || aggregate.kind === "workspace") continue;
        const rule = law.judge(aggregate.kind, c.phase, c.type);
        const isSelf = c.subject === mallory.id;
        const predicted = !rule.ok
          ? "illegal-transition"
          : rule.right === "invited" || (rule.right === "self" && isSelf)
            ? "ok"
            : "not-permitted";
        expect({ type: c.type, phase: c.phase, got: await ask(c, true) }).toEqual({
          type: c.type,
          phase: c.phase,
          got: predicted,
        });
        if (rule.ok && rule.right === "invited") lent.push(c.type);
      }
    expect([...new Set(lent)].sort()).toEqual([
      "invitation.accepted",
      "invitation.declined",
      "member.joined",
    ]);
  });

  it("[LOG-12] agree on who may create a workspace or document", async () => {
    for (const [held, actor] of users) {
      expect(
        verdict(
          await db.append(actor, randomUUID(), 0, [
            { type: "workspace.created", body: { name: "W" } },
          ]),
        ),
      ).toBe("ok");
      const role = held === "stranger" ? null : held;
      const may = mayEmit("document.created", {
        phase: "absent",
        role,
        isSelf: false,
        isAuthor: false,
      });
      const created = await db.append(actor, randomUUID(), 0, [
        { type: "document.created", body: { workspaceId: workspace, title: "T" } },
      ]);
      expect({ held, created: verdict(created) }).toEqual({
        held,
        created: may ? "ok" : "not-permitted",
      });
    }
  });

  it("[LOG-12] have the same current rules, row by row", async () => {
    const rows = await db.sql`
      select stream_kind as "streamKind", subject_kind as "subjectKind", from_phase as "fromPhase",
        event_type as "eventType",
        to_phase as "toPhase", needs as "right" from private.transitions where retired_at is null`;
    const sorted = (list: readonly object[]) =>
      list.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort();
    expect(sorted(rows)).toEqual(sorted(law.rows));
  });

  it("[LOG-25] keep a history through a rule that is retired and returns", async () => {
    const present = catalogueOf(aggregates, emptyCatalogue);
    const stricter = {
      ...present,
      transitions: present.transitions.filter(({ eventType }) => eventType !== "document.trashed"),
    };
    const owner = users.get("owner");
    if (!owner) throw new Error("no owner");
    const trash = { type: "document.trashed", body: {} };
    expect(
      verdict(
        await db.append(owner, document, null, [trash, { type: "document.restored", body: {} }]),
      ),
    ).toBe("ok");
    const asked = await undone(async (sql) => {
      const answers: string[] = [];
      await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: owner.id })}, true)`;
      for (const statements of [
        lawStatements(present, stricter),
        lawStatements(stricter, present),
      ]) {
        expect(statements.length).toBe(1);
        for (const statement of statements) await sql.unsafe(statement);
        const events = JSON.stringify([{ id: randomUUID(), type: trash.type, body: "{}" }]);
        const answer = await answered(
          sql.savepoint(
            async (point) => point`select append_events(${document}, null, ${events}::text::jsonb)`,
          ),
        );
        answers.push(verdict(answer));
      }
      return answers;
    });
    expect(asked).toEqual(["illegal-transition", "ok"]);
  });

  it("[LOG-19] agree that only an active workspace accepts events inside", async () => {
    const owner = users.get("owner");
    if (!owner) throw new Error("no owner");
    const inside = {
      type: "invitation.created",
      subject: { kind: "invitation", id: randomUUID() },
      body: JSON.stringify(bodies["invitation.created"]),
    };
    const attempts = [
      [workspace, inside],
      [document, { type: "document.renamed", body: '{"title":"T"}' }],
    ] as const;
    for (const [stream, event] of attempts)
      for (const phase of ["active", "closed"]) {
        const got = await undone(async (sql) => {
          await sql`update private.subjects set phase = ${phase} where stream_id = ${workspace} and kind = 'workspace'`;
          await sql`select set_config('request.jwt.claims', ${JSON.stringify({ sub: owner.id })}, true)`;
          const events = JSON.stringify([{ id: randomUUID(), ...event }]);
          return verdict(
            await answered(sql`select append_events(${stream}, null, ${events}::text::jsonb)`),
          );
        });
        expect({ type: event.type, phase, got }).toEqual({
          type: event.type,
          phase,
          got: phase === "active" ? "ok" : "illegal-transition",
        });
      }
  });
});
