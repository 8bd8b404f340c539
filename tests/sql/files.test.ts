import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { storeFile } from "@/tests/support/database/stored-file";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let people: Record<string, User | null>;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  const [editor, commenter, viewer, removed] = ["Ben", "Carol", "Dora", "Erin"].map((name) =>
    db.newUser(name),
  ) as [User, User, User, User];
  await join(db, ana, workspace, editor, "editor");
  await join(db, ana, workspace, commenter, "commenter");
  await join(db, ana, workspace, viewer, "viewer");
  await join(db, ana, workspace, removed, "editor");
  const subject = { kind: "member", id: removed.id };
  granted(await db.append(ana, workspace, null, [{ type: "member.removed", subject, body: {} }]));
  people = {
    owner: ana,
    editor,
    commenter,
    viewer,
    "removed member": removed,
    stranger: db.newUser("Mallory"),
    "nobody signed in": null,
  };
});
afterAll(() => db.stop());

type FileBody = ReturnType<typeof fileOf>;
const fileOf = (words: string, type = "image/png") => ({
  sha256: createHash("sha256").update(words).digest("hex"),
  bytes: words.length,
  name: "A shelf.png",
  type,
  width: 4,
  height: 3,
});
const attach = (user: User | null, document: string, body: FileBody, id = randomUUID()) =>
  db.append(user, document, null, [
    { type: "file.attached", subject: { kind: "file", id }, body: { ...body } },
  ]);
const found = async (user: User | null, id: string): Promise<unknown> => {
  const [row] = await db.as(user, (t) => t`select find_file(${id}) as found`);
  return row?.found;
};
const room = async (user: User, id: string): Promise<unknown> => {
  const [row] = await db.as(user, (t) => t`select file_room(${id}) as room`);
  return row?.room;
};
type Disposable = { names: string[]; orphaned: boolean; sha256: string; takenAt: string };
/** Takes the disposable files of a new run, after everything taken by earlier runs was released. */
const disposable = async (): Promise<Disposable[]> => {
  await db.sql`update private.pending_deletions set taken_at = null`;
  return taken();
};
const taken = async (most = 50): Promise<Disposable[]> => {
  const [row] = await db.sql<{ all: Disposable[] }[]>`select read_disposable(${most}) as all`;
  return row?.all ?? [];
};

describe("a file of a document", () => {
  it("[FILE-10] is recorded only if its bytes are stored with the same size and type", async () => {
    const document = await newDocument(db, ana, workspace);
    const stored = fileOf("stored");
    await storeFile(db, workspace, stored);
    const elsewhere = await newWorkspace(db, ana);
    const other = await newDocument(db, ana, elsewhere);
    const tried = {
      missing: await attach(ana, document, fileOf("nothing")),
      larger: await attach(ana, document, { ...stored, bytes: 7 }),
      another: await attach(ana, document, { ...stored, type: "image/jpeg" }),
      elsewhere: await attach(ana, other, stored),
      stored: await attach(ana, document, stored),
    };
    expect(Object.fromEntries(Object.entries(tried).map(([how, a]) => [how, verdict(a)]))).toEqual({
      missing: "invalid-event",
      larger: "invalid-event",
      another: "invalid-event",
      elsewhere: "invalid-event",
      stored: "ok",
    });
    expect(tried.missing.ok ? "" : tried.missing.refusal.reason).toBe("file-missing");
  });

  it("[FILE-11] is added by writers, and found by members alone", async () => {
    const document = await newDocument(db, ana, workspace);
    const id = randomUUID();
    const body = fileOf("for members");
    await storeFile(db, workspace, body);
    const said: Record<string, unknown> = {};
    for (const [who, user] of Object.entries(people))
      said[who] = await attach(user, document, body).then(verdict, () => "unreachable");
    granted(await attach(ana, document, body, id));
    const seen: Record<string, unknown> = {};
    for (const [who, user] of Object.entries(people))
      seen[who] = await found(user, id).then(
        (rows) => (Array.isArray(rows) ? rows.length : rows),
        () => "unreachable",
      );
    const none = "not-permitted";
    expect([said, seen]).toEqual([
      {
        owner: "ok",
        editor: "ok",
        commenter: none,
        viewer: none,
        "removed member": none,
        stranger: none,
        "nobody signed in": "unreachable",
      },
      {
        owner: 1,
        editor: 1,
        commenter: 1,
        viewer: 1,
        "removed member": 0,
        stranger: 0,
        "nobody signed in": "unreachable",
      },
    ]);
  });

  it("[FILE-12] counts once in its workspace, and is refused beyond its quota", async () => {
    const own = await newWorkspace(db, ana);
    const [one, two] = [await newDocument(db, ana, own), await newDocument(db, ana, own)];
    const [small, large] = [fileOf("small"), fileOf("large file")];
    await storeFile(db, own, small);
    await storeFile(db, own, large);
    granted(await attach(ana, one, small));
    granted(await attach(ana, two, small));
    expect(await room(ana, own)).toEqual({ bytes: 5, most: 5_368_709_120 });
    expect(await room(db.newUser("Mallory"), own)).toBeNull();
    await db.sql`update private.limits set most = 14 where name = 'workspace_file_bytes'`;
    const beyond = await attach(ana, one, large);
    granted(await attach(ana, one, small));
    await db.sql`update private.limits set most = 15 where name = 'workspace_file_bytes'`;
    const fitting = await attach(ana, one, large);
    await db.sql`update private.limits set most = 5368709120 where name = 'workspace_file_bytes'`;
    expect([verdict(beyond), beyond.ok ? "" : beyond.refusal.reason, verdict(fitting)]).toEqual([
      "too-large",
      "workspace_file_bytes",
      "ok",
    ]);
  });

  it("[FILE-19] counts for its account over all workspaces, and is refused beyond its quota", async () => {
    const adding = db.newUser("Ben");
    const own = [await newWorkspace(db, adding), await newWorkspace(db, adding)];
    const [small, large] = [fileOf("small"), fileOf("large file")];
    const documents: string[] = [];
    for (const each of own) {
      documents.push(await newDocument(db, adding, each));
      for (const file of [small, large]) await storeFile(db, each, file);
    }
    const [one = "", two = ""] = documents;
    const ownRoom = async () =>
      (await db.as(adding, (t) => t`select own_file_room() as room`))[0]?.room as unknown;
    const id = randomUUID();
    granted(await attach(adding, one, small));
    granted(await attach(adding, one, small, id));
    granted(await attach(adding, two, small));
    expect(await ownRoom()).toEqual({ bytes: 10, most: 21_474_836_480 });
    await db.sql`update private.limits set most = 19 where name = 'account_file_bytes'`;
    const beyond = await attach(adding, two, large);
    // Files that the workspace already has take no further space.
    granted(await attach(adding, two, small));
    await db.sql`update private.limits set most = 20 where name = 'account_file_bytes'`;
    const fitting = await attach(adding, two, large);
    await db.sql`update private.limits set most = 21474836480 where name = 'account_file_bytes'`;
    expect([verdict(beyond), beyond.ok ? "" : beyond.refusal.reason, verdict(fitting)]).toEqual([
      "too-large",
      "account_file_bytes",
      "ok",
    ]);
    // The same bytes are stored twice but are subtracted once.
    for (const type of ["document.trashed", "document.purged"] as const)
      granted(await db.append(adding, two, null, [{ type, body: {} }]));
    expect(await ownRoom()).toMatchObject({ bytes: 5 });
    expect(await room(adding, own[1] ?? "")).toMatchObject({ bytes: 0 });
    await db.sql`delete from private.pending_deletions`;
  });

  it("[FILE-13] goes with its event or document, and its bytes with their last use", async () => {
    const own = await newWorkspace(db, ana);
    const [one, two] = [await newDocument(db, ana, own), await newDocument(db, ana, own)];
    const [shared, alone] = [fileOf("shared"), fileOf("alone")];
    await storeFile(db, own, shared);
    await storeFile(db, own, alone);
    const [first, second] = [randomUUID(), randomUUID()];
    granted(await attach(ana, two, shared));
    const attached = [
      granted(await attach(ana, one, shared, first)),
      granted(await attach(ana, one, alone, second)),
    ];
    const redactions = attached.map(({ rulings }) => ({
      type: "document.redacted",
      body: { event: rulings[0]?.id ?? "", reason: "" },
      update: Uint8Array.of(0, 0, 4),
    }));
    granted(await db.append(ana, one, null, redactions));
    expect([
      await found(ana, first),
      await found(ana, second),
      (await disposable()).map(({ sha256 }) => sha256),
    ]).toEqual([[], [], [alone.sha256]]);
    expect(verdict(await attach(ana, two, alone))).toBe("invalid-event");
    const again = randomUUID();
    granted(await attach(ana, one, shared, again));
    granted(await db.append(ana, one, null, [{ type: "document.trashed", body: {} }]));
    granted(await db.append(ana, one, null, [{ type: "document.purged", body: {} }]));
    expect(await found(ana, again)).toEqual([]);
    expect((await disposable()).map(({ sha256 }) => sha256)).toEqual([alone.sha256]);
    expect(await room(ana, own)).toEqual({ bytes: 6, most: 5_368_709_120 });
    granted(await db.append(ana, two, null, [{ type: "document.trashed", body: {} }]));
    granted(await db.append(ana, two, null, [{ type: "document.purged", body: {} }]));
    expect(new Set((await disposable()).map(({ sha256 }) => sha256))).toEqual(
      new Set([alone.sha256, shared.sha256]),
    );
  });

  it("[FILE-16] is one of at most 64 open uploads of a person, at addresses of their own", async () => {
    const begin = async (person: string, file: string) =>
      (await db.sql<{ ok: boolean }[]>`select begin_upload(${person}, ${file}) as ok`)[0]?.ok;
    const [person, other] = [randomUUID(), randomUUID()];
    const own = Array.from({ length: 64 }, () => randomUUID());
    for (const file of own) expect(await begin(person, file)).toBe(true);
    const more = randomUUID();
    expect([
      await begin(person, more),
      await begin(person, own[5] ?? ""),
      await begin(other, more),
    ]).toEqual([false, true, true]);
    await db.sql`select end_upload(${person}, ${own[5] ?? ""})`;
    expect([await begin(person, more), await begin(person, randomUUID())]).toEqual([true, false]);
    // An upload that is not finished within a day frees its space, since its bytes are deleted.
    await db.sql`update private.open_uploads set begun_at = now() - interval '25 hours' where user_id = ${person}`;
    expect(await begin(person, randomUUID())).toBe(true);
  });

  it("[FILE-29] is sent to an address once, until its upload ends, restarts or is a day old", async () => {
    const [person, file] = [randomUUID(), randomUUID()];
    const begin = async (bytes: number) =>
      (
        await db.sql<
          { at: string | null }[]
        >`select begin_sending(${person}, ${file}, ${bytes}, null) as at`
      )[0]?.at ?? "";
    const take = async (address: string, name = `${person}/${file}`) =>
      (await db.sql<{ most: string | null }[]>`select take_address(${name}, ${address}) as most`)[0]
        ?.most;
    const [first, second] = [await begin(9), await begin(7)];
    expect([await take(first), await take(second), await take(second)]).toEqual([null, "7", null]);
    const third = await begin(7);
    expect(await take(third, `${randomUUID()}/${file}`)).toBeNull();
    expect(await take(third, `${person}/../${file}`)).toBeNull();
    expect(await take(third, "-".repeat(36) + `/${file}`)).toBeNull();
    await db.sql`update private.open_uploads set begun_at = now() - interval '25 hours' where user_id = ${person}`;
    expect(await take(third)).toBeNull();
    const [fourth] = [await begin(7)];
    await db.sql`select end_upload(${person}, ${file})`;
    expect(await take(fourth)).toBeNull();
  });

  it("[FILE-16] leaves no bytes when its event is refused, unless a document uses them", async () => {
    const own = await newWorkspace(db, ana);
    const document = await newDocument(db, ana, own);
    const [used, refused] = [fileOf("in use"), fileOf("was refused")];
    await storeFile(db, own, used);
    await storeFile(db, own, refused);
    granted(await attach(ana, document, used));
    for (const { sha256 } of [used, refused])
      await db.sql`select mark_unused_file(${own}, ${sha256})`;
    expect((await disposable()).filter(({ names }) => names[0]?.startsWith(own))).toEqual([
      expect.objectContaining({ names: [`${own}/${refused.sha256}`], orphaned: false }),
    ]);
  });

  it("[FILE-16] may return once the next run forgets what an interrupted run deleted", async () => {
    const own = await newWorkspace(db, ana);
    const document = await newDocument(db, ana, own);
    const file = fileOf("deleted, and not noted");
    const { sha256 } = file;
    await db.sql`select mark_unused_file(${own}, ${sha256})`;
    const found = (await disposable()).filter((each) => each.sha256 === sha256);
    expect(found).toEqual([expect.objectContaining({ names: [], orphaned: false })]);
    await storeFile(db, own, file);
    expect(verdict(await attach(ana, document, file))).toBe("invalid-event");
    await db.sql`select forget_disposed(${own}, ${sha256}, ${found[0]?.takenAt ?? null})`;
    granted(await attach(ana, document, file));
  });

  it("[FILE-16] is taken for deletion by one run at a time", async () => {
    const own = await newWorkspace(db, ana);
    const { sha256 } = fileOf("taken by one");
    await db.sql`select mark_unused_file(${own}, ${sha256})`;
    const isListed = async () => (await taken()).some((each) => each.sha256 === sha256);
    expect([await isListed(), await isListed()]).toEqual([true, false]);
    // Files that a dead run has taken become available to another run.
    await db.sql`
      update private.pending_deletions set taken_at = now() - interval '11 minutes'
      where sha256 = ${sha256}`;
    expect(await isListed()).toBe(true);
  });

  it("[FILE-16] is deleted while its run holds it, and forgotten by that run alone", async () => {
    const own = await newWorkspace(db, ana);
    const { sha256 } = fileOf("taken by a slow run");
    await db.sql`select mark_unused_file(${own}, ${sha256})`;
    const take = async () => (await taken()).find((each) => each.sha256 === sha256)?.takenAt;
    const may = async (takenAt = "") =>
      (await db.sql`select may_dispose(${own}, ${sha256}, ${takenAt}) as may`)[0]?.may as unknown;
    const since = (minutes: number) => db.sql<{ at: string }[]>`
      update private.pending_deletions set taken_at = taken_at - ${minutes} * interval '1 minute'
      where sha256 = ${sha256} returning to_jsonb(taken_at) as at`;
    expect(await may(await take())).toBe(true);
    const [late] = await since(5);
    expect(await may(late?.at)).toBe(false);
    const [over] = await since(11);
    const next = await take();
    expect([await may(over?.at), await may(next)]).toEqual([false, true]);
    await db.sql`select forget_disposed(${own}, ${sha256}, ${over?.at ?? ""})`;
    expect(await may(next)).toBe(true);
    await db.sql`select forget_disposed(${own}, ${sha256}, ${next ?? ""})`;
    expect(await may(next)).toBe(false);
  });

  it("[FILE-14] gets its turn, however many deletions fail", async () => {
    const own = await newWorkspace(db, ana);
    const before = new Date(Date.now() - 25 * 3_600_000);
    await db.sql`delete from private.pending_deletions`;
    await db.sql`delete from storage.objects`;
    const orphans = [fileOf("one that fails"), fileOf("one behind")];
    for (const orphan of orphans) await storeFile(db, own, orphan, before);
    const uploads = [randomUUID(), randomUUID()].map((file) => `${randomUUID()}/${file}`);
    for (const name of uploads)
      await db.sql`insert into storage.objects (bucket_id, name) values ('uploads', ${name})`;
    const listed = new Set<string>();
    for (let run = 0; run < 64; run += 1)
      for (const { names } of await taken(1)) for (const name of names) listed.add(name);
    expect(listed).toEqual(
      new Set([...uploads, ...orphans.map(({ sha256 }) => `${own}/${sha256}`)]),
    );
  });

  it("[FILE-16] is deleted at once if its upload has ended", async () => {
    const person = randomUUID();
    const [open, ended] = [randomUUID(), randomUUID()];
    for (const file of [open, ended]) {
      await db.sql`select begin_upload(${person}, ${file})`;
      await db.sql`insert into storage.objects (bucket_id, name) values ('uploads', ${`${person}/${file}`})`;
    }
    await db.sql`select end_upload(${person}, ${ended})`;
    const own = (await disposable()).flatMap(({ names }) =>
      names.filter((name) => name.startsWith(person)),
    );
    expect(own).toEqual([`${person}/${ended}`]);
  });

  it("[FILE-14] is deleted a day after it was stored if no document uses it", async () => {
    const own = await newWorkspace(db, ana);
    const document = await newDocument(db, ana, own);
    const [used, orphan, fresh] = [fileOf("used"), fileOf("orphan"), fileOf("fresh")];
    const before = new Date(Date.now() - 25 * 3_600_000);
    await storeFile(db, own, used, before);
    await storeFile(db, own, orphan, before);
    await storeFile(db, own, fresh);
    granted(await attach(ana, document, used));
    const mine = (await disposable()).filter(({ names }) => names[0]?.startsWith(own));
    expect(mine).toEqual([
      expect.objectContaining({ names: [`${own}/${orphan.sha256}`], orphaned: true }),
    ]);
    expect(verdict(await attach(ana, document, orphan))).toBe("invalid-event");
  });
});
