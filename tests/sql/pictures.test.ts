import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let ben: User;
let shared: string;

beforeAll(async () => {
  db = await testDatabase();
  [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  shared = await newWorkspace(db, ana);
  for (const user of [ana, ben])
    granted(await db.append(user, user.id, null, [{ type: "account.created", body: {} }]));
  await join(db, ana, shared, ben, "viewer");
});
afterAll(() => db.stop());

/** Records in the database that a picture was stored `minutes` ago. */
async function storePicture(user: User, picture = randomUUID(), minutes = 0): Promise<string> {
  const stored = new Date(Date.now() - minutes * 60_000);
  await db.sql`insert into storage.objects (bucket_id, name, created_at, updated_at)
    values ('avatars', ${`${user.id}/${picture}`}, ${stored}, now())`;
  return picture;
}
const set = (actor: User | null, of: User, picture: string | null) =>
  db.append(actor, of.id, null, [{ type: "account.picture_set", body: { picture } }]);
const shown = async (user: User) => {
  const rows = await db.sql<{ picture: string | null }[]>`
    select picture from accounts where user_id = ${user.id}
    union all select picture from members where user_id = ${user.id}`;
  return rows.map(({ picture }) => picture);
};
const unused = async (): Promise<unknown> => {
  const [row] = await db.sql<{ all: unknown }[]>`select read_unused_pictures() as all`;
  return row?.all;
};

it("[FILE-50] is recorded only if its person stored it recently", async () => {
  const [hers, old] = [await storePicture(ana), await storePicture(ana, randomUUID(), 11)];
  const refused = {
    missing: await set(ana, ana, randomUUID()),
    "another's": await set(ben, ben, hers),
    old: await set(ana, ana, old),
    "by another": await set(ben, ana, hers),
  };
  expect(Object.fromEntries(Object.entries(refused).map(([how, a]) => [how, verdict(a)]))).toEqual({
    missing: "invalid-event",
    "another's": "invalid-event",
    old: "invalid-event",
    "by another": "not-permitted",
  });
  expect(refused.old.ok ? "" : refused.old.refusal.reason).toBe("file-missing");
  expect(await shown(ana)).toEqual([null, null]);
  granted(await set(ana, ana, hers));
  expect(await shown(ana)).toEqual([hers, hers]);
});

it("[FILE-50] is the same in each workspace that its person joins or creates, after a rebuild too", async () => {
  const picture = await storePicture(ben);
  granted(await set(ben, ben, picture));
  await newWorkspace(db, ben);
  const other = await newWorkspace(db, ana);
  await join(db, ana, other, ben, "editor");
  const everywhere = [picture, picture, picture, picture];
  expect(await shown(ben)).toEqual(everywhere);
  await db.sql`select rebuild_projections()`;
  expect(await shown(ben)).toEqual(everywhere);
  granted(await set(ben, ben, null));
  expect(await shown(ben)).toEqual([null, null, null, null]);
});

it("[FILE-53] is found for deletion once unused and too old to be recorded", async () => {
  await db.sql`delete from storage.objects where bucket_id = 'avatars'`;
  const first = await storePicture(ana);
  granted(await set(ana, ana, first));
  granted(await set(ana, ana, await storePicture(ana)));
  expect(await unused()).toEqual([]);
  await db.sql`update storage.objects set created_at = now() - interval '16 minutes'`;
  const late = await storePicture(ana, randomUUID(), 14);
  expect(await unused()).toEqual([`${ana.id}/${first}`]);
  expect(verdict(await set(ana, ana, late))).toBe("invalid-event");
});

it("[FILE-53] goes with the account", async () => {
  const carol = db.newUser("Carol");
  granted(await db.append(carol, carol.id, null, [{ type: "account.created", body: {} }]));
  await join(db, ana, shared, carol, "editor");
  granted(await set(carol, carol, await storePicture(carol)));
  await db.as(carol, (t) => t`select delete_account(${carol.email})`);
  expect(await shown(carol)).toEqual([null, null]);
});
