import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeEach, beforeAll, describe, expect, it, vi } from "vitest";
import { answered, testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import {
  accept,
  granted,
  invite,
  join,
  newDocument,
  newWorkspace,
} from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let shared: string;
let paper: string;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

/** Creates Ana's workspace, in which Ben is an editor and has an account. */
beforeEach(async () => {
  ana = db.newUser("Ana");
  ben = db.newUser("Ben");
  shared = await newWorkspace(db, ana);
  await join(db, ana, shared, ben, "editor");
  paper = await newDocument(db, ben, shared);
  granted(
    await db.append(ben, ben.id, 0, [
      { type: "account.created", body: {} },
      { type: "account.profile_changed", body: { name: "Ben Holm", color: 3 } },
    ]),
  );
  await db.sql`insert into auth.users (id, email) values (${ben.id}, ${ben.email})`;
  await db.sql`
    insert into auth.sessions (id, user_id, created_at) values (${randomUUID()}, ${ben.id}, now())`;
});

type Ending = { deleted: boolean; left: number };
const remove = (user: User | null, address = user?.email ?? "") =>
  answered(
    db.as(user, async (t) => {
      const [row] = await t<{ ending: Ending }[]>`select delete_account(${address}) as ending`;
      return row?.ending;
    }),
  );
const gone = async (user: User): Promise<void> => {
  for (;;) {
    const answer = await remove(user);
    if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer.refusal)}`);
    if (answer.value?.deleted) return;
  }
};
const effectsOf = async (user: User) => {
  const [row] = await db.as(
    user,
    (t) => t<{ effects: { id: string; effect: string; documents: number }[] }[]>`
      select read_account_end() as effects`,
  );
  return Object.fromEntries((row?.effects ?? []).map(({ id, effect }) => [id, effect]));
};
const memberRow = async (workspace: string, { id }: User) => {
  const [row] = await db.sql`
    select name, email, phase from members where workspace_id = ${workspace} and user_id = ${id}`;
  return { ...row };
};
/** Whether every event of a stream has the hash that its predecessor determines. */
const isChained = async (stream: string) => {
  const [row] = await db.sql`
    select bool_and(hash = private.event_hash(previous, e)) as sound from (
      select e, e.hash, lag(e.hash) over (order by e.version) as previous
      from events e where e.stream_id = ${stream}) as chain`;
  return row?.sound;
};
const tracesOf = async (word: string) => {
  const [row] = await db.sql`
    select (select count(*) from event_payloads where body like ${`%${word}%`})
      + (select count(*) from members where name like ${`%${word}%`} or email like ${`%${word}%`})
      + (select count(*) from accounts where name like ${`%${word}%`})
      + (select count(*) from private.emails where email like ${`%${word}%`})
      + (select count(*) from workspaces where name like ${`%${word}%`})
      + (select count(*) from invitations where email like ${`%${word}%`}) as traces`;
  return Number(row?.traces);
};
const knownEmails = async ({ id }: User) => {
  const [row] = await db.sql`select count(*)::int as n from private.emails where user_id = ${id}`;
  return Number(row?.n);
};
const makeOwner = async (user: User) =>
  granted(
    await db.append(ana, shared, null, [
      {
        type: "member.role_changed",
        subject: { kind: "member", id: user.id },
        body: { role: "owner" },
      },
    ]),
  );
/** Resolves when a transaction waits for another transaction's lock. */
const waiting = () =>
  vi.waitFor(
    async () => {
      const [row] = await db.sql`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      expect(Number(row?.n)).toBeGreaterThan(0);
    },
    { timeout: 10_000 },
  );

describe("a deleted account", () => {
  it("[ACC-40] is shown as Former member everywhere, without an address", async () => {
    expect((await memberRow(shared, ben)).name).toBe("Ben Holm");
    await gone(ben);
    expect(await memberRow(shared, ben)).toEqual({
      name: "Former member",
      email: null,
      phase: "left",
    });
    expect(await tracesOf("Ben Holm")).toBe(0);
    expect(await tracesOf(ben.email)).toBe(0);
    const [account] =
      await db.sql`select name, color, phase from accounts where user_id = ${ben.id}`;
    expect({ ...account }).toEqual({ name: "Former member", color: null, phase: "deleted" });
  });

  it("[ACC-41] leaves a log that verifies and read models that a rebuild reproduces", async () => {
    const own = await newWorkspace(db, ben);
    await newDocument(db, ben, own);
    await gone(ben);
    for (const stream of [ben.id, shared, paper, own]) expect(await isChained(stream)).toBe(true);
    const state = async () =>
      (
        await db.sql`select jsonb_build_array(
          (select jsonb_agg(a order by user_id) from accounts a),
          (select jsonb_agg(m order by workspace_id, user_id) from members m),
          (select jsonb_agg(w order by id) from workspaces w)) as state`
      )[0]?.state;
    const before = await state();
    await db.sql`select rebuild_projections()`;
    expect(await state()).toEqual(before);
  });

  it("[ACC-42] ends its sessions and loses its personal data", async () => {
    await db.as(ben, (t) => t`select set_favourite(${paper}, true)`);
    await db.as(ben, (t) => t`select mark_seen(${paper}, 1, true)`);
    await db.sql`select begin_upload(${ben.id}, ${randomUUID()})`;
    await gone(ben);
    const [row] = await db.sql`
      select (select count(*) from auth.sessions where user_id = ${ben.id})
        + (select count(*) from personal_documents where user_id = ${ben.id})
        + (select count(*) from personal_workspaces where user_id = ${ben.id})
        + (select count(*) from private.open_uploads where user_id = ${ben.id}) as kept`;
    expect(Number(row?.kept)).toBe(0);
    const listed = () => db.sql`select read_deleted_accounts(100) as people`;
    expect((await listed())[0]?.people).toContain(ben.id);
    await db.sql`select forget_account(${ben.id})`;
    expect((await listed())[0]?.people).not.toContain(ben.id);
  });

  it("[ACC-43] can read, write, create and join nothing, even with a valid token", async () => {
    const link = await invite(db, ana, shared);
    await gone(ben);
    expect(await db.read(ben, shared)).toEqual([]);
    expect(await db.read(ben, paper)).toEqual([]);
    const refused = { ok: false, refusal: { name: "not-permitted" } };
    const renamed = [{ type: "document.renamed", body: { title: "Mine" } }];
    expect(await db.append(ben, paper, null, renamed)).toMatchObject(refused);
    const begun = [{ type: "workspace.created", body: { name: "Again" } }];
    expect(await db.append(ben, randomUUID(), 0, begun)).toMatchObject({
      refusal: { reason: "account-deleted" },
    });
    expect(await accept(db, ben, link)).toMatchObject({ refusal: { reason: "account-deleted" } });
    const signedIn = [{ type: "auth.signed_in", body: {} }];
    expect(await db.append(ben, ben.id, null, signedIn)).toMatchObject({
      refusal: { name: "illegal-transition" },
    });
    expect(await remove(ben)).toEqual({ ok: true, value: { deleted: true, left: 0 } });
    expect(await knownEmails(ben)).toBe(0);
  });

  it("[ACC-43] stores no address when an earlier sign-in event is resent", async () => {
    const signedIn = [{ id: randomUUID(), type: "auth.signed_in", body: {} }];
    granted(await db.append(ben, ben.id, null, signedIn));
    expect(await knownEmails(ben)).toBe(1);
    await gone(ben);
    granted(await db.append(ben, ben.id, null, signedIn));
    expect(await knownEmails(ben)).toBe(0);
  });

  it("[ACC-44] stays while a workspace with others would lose its last owner", async () => {
    expect(await effectsOf(ana)).toEqual({ [shared]: "kept" });
    expect(await remove(ana)).toMatchObject({ refusal: { reason: "last-owner" } });
    expect((await memberRow(shared, ana)).phase).toBe("active");
    await makeOwner(ben);
    expect(await effectsOf(ana)).toEqual({ [shared]: "left" });
    await gone(ana);
    expect((await memberRow(shared, ana)).name).toBe("Former member");
    expect((await memberRow(shared, ben)).phase).toBe("active");
  });

  it("[ACC-45] takes its single-member workspaces with it, and every word in them", async () => {
    const own = await newWorkspace(db, ben);
    const [above, inside] = [await newDocument(db, ben, own), await newDocument(db, ben, own)];
    granted(
      await db.append(ben, inside, null, [
        { type: "document.moved", body: { parent: above, after: null } },
        { type: "document.renamed", body: { title: "Secret plan" } },
      ]),
    );
    granted(await db.append(ben, above, null, [{ type: "document.trashed", body: {} }]));
    const link = await invite(db, ben, own);
    await invite(db, ben, own, { email: "carol@example.com" });
    expect(await effectsOf(ben)).toEqual({ [shared]: "left", [own]: "alone" });
    await gone(ben);
    const rows = await db.sql`select phase, title from documents where workspace_id = ${own}`;
    expect([...rows]).toEqual([
      { phase: "purged", title: "" },
      { phase: "purged", title: "" },
    ]);
    for (const word of ["Secret plan", `${ben.name}'s workspace`, "carol@example.com"])
      expect([word, await tracesOf(word)]).toEqual([word, 0]);
    expect(await accept(db, db.newUser("Carol"), link)).toMatchObject({ ok: false });
  });

  it("[ACC-45] takes a workspace along when both its owners go at once", async () => {
    await makeOwner(ben);
    let second = Promise.resolve();
    // Ben's deletion begins when all of Ana's is done except the commit.
    await db.as(ana, async (t) => {
      const [row] = await t<{ ending: Ending }[]>`select delete_account(${ana.email}) as ending`;
      expect(row?.ending).toEqual({ deleted: true, left: 0 });
      second = gone(ben);
      await waiting();
    });
    await second;
    const [row] = await db.sql`select phase from documents where id = ${paper}`;
    expect(row?.phase).toBe("purged");
    expect((await memberRow(shared, ben)).phase).toBe("left");
  });

  it("[ACC-45] leaves a workspace intact when a person joins it at the same moment", async () => {
    const own = await newWorkspace(db, ben);
    const draft = await newDocument(db, ben, own);
    const carol = db.newUser("Carol");
    const link = await invite(db, ben, own);
    let answer: ReturnType<typeof remove> = Promise.reject(new Error("was not asked"));
    answer.catch(() => undefined);
    await db.as(carol, async (t) => {
      await t`select accept_invitation(${link.id}, ${link.token})`;
      // When Ben's deletion began, it saw no other member in the workspace.
      answer = remove(ben);
      await waiting();
    });
    expect(await answer).toMatchObject({ refusal: { reason: "last-owner" } });
    const [row] = await db.sql`select phase from documents where id = ${draft}`;
    expect(row?.phase).toBe("live");
    expect((await memberRow(own, carol)).phase).toBe("active");
    expect(await effectsOf(ben)).toMatchObject({ [own]: "kept" });
  });

  it("[ACC-45] revokes many invitations in batches, and goes when none is open", async () => {
    const own = await newWorkspace(db, ben);
    const created = () => ({
      type: "invitation.created",
      subject: { kind: "invitation", id: randomUUID() },
      body: {
        kind: "link",
        email: null,
        role: "editor",
        expiresAt: null,
        tokenHash: createHash("sha256").update(randomUUID()).digest("hex"),
      },
    });
    for (let batch = 0; batch < 3; batch += 1)
      granted(await db.append(ben, own, null, Array.from({ length: 100 }, created)));
    const open = async () => {
      const [row] = await db.sql`
        select count(*)::int as n from invitations where workspace_id = ${own} and phase = 'open'`;
      return Number(row?.n);
    };
    // The deletion makes progress even with no time left.
    await db.sql.begin(async (sql) => {
      const claims = JSON.stringify({ sub: ben.id, role: "authenticated", email: ben.email });
      await sql`select set_config('request.jwt.claims', ${claims}, true)`;
      await sql`select private.revoke_invitations(${own}, clock_timestamp() - interval '1 second')`;
    });
    expect(await open()).toBe(100);
    await gone(ben);
    expect(await open()).toBe(0);
  });

  it("[ACC-46] is deleted by its own person alone, never through an event", async () => {
    expect(await remove(null).catch(String)).toMatch(/permission denied/);
    expect(await remove(ben, ana.email)).toMatchObject({ refusal: { reason: "address-wrong" } });
    expect(
      await db.append(ben, ben.id, null, [{ type: "account.deleted", body: {} }]),
    ).toMatchObject({ refusal: { reason: "right-missing" } });
    expect(
      await db.append(ana, ben.id, null, [{ type: "account.deleted", body: {} }]),
    ).toMatchObject({ ok: false });
    const viewer = db.newUser("Carol");
    await join(db, ana, shared, viewer, "viewer");
    await gone(viewer);
    const stranger = db.newUser("Mallory");
    await gone(stranger);
    expect((await memberRow(shared, ben)).phase).toBe("active");
    for (const work of ["select read_deleted_accounts()", `select forget_account('${ben.id}')`])
      await expect(db.as(ana, (t) => t.unsafe(work))).rejects.toThrow("permission denied");
  });
});

describe("the documents that a person wrote in", () => {
  const listed = async (user: User) => {
    const [row] = await db.as(
      user,
      (t) => t<{ own: { id: string }[] }[]>`select read_own_documents() as own`,
    );
    return (row?.own ?? []).map(({ id }) => id);
  };

  it("[ACC-30] are listed to their author alone, while readable", async () => {
    granted(
      await db.append(ben, paper, null, [
        { type: "document.edited", body: {}, update: Uint8Array.of(0, 0), clientIds: [77] },
      ]),
    );
    expect(await listed(ben)).toEqual([paper]);
    expect(await listed(ana)).toEqual([]);
    granted(
      await db.append(ana, shared, null, [
        { type: "member.removed", subject: { kind: "member", id: ben.id }, body: {} },
      ]),
    );
    expect(await listed(ben)).toEqual([]);
  });
});
