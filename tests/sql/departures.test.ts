import { afterAll, beforeAll, expect, it } from "vitest";
import { readModels } from "@/tests/fuzz/read-models";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { accept, granted, invite, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  granted(
    await db.append(ana, ana.id, 0, [
      { type: "account.created", body: {} },
      { type: "account.profile_changed", body: { name: "Ana", color: 2 } },
    ]),
  );
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

async function newMember(name: string): Promise<User> {
  const user = db.newUser(name);
  await accept(db, user, await invite(db, ana, workspace, {}));
  return user;
}
async function departureOf(user: User): Promise<unknown> {
  const [row] = await db.as(user, (t) => t`select read_departure(${workspace}) as told`);
  return row?.told;
}
const about = (user: User, type: string) => ({
  type,
  body: {},
  subject: { kind: "member", id: user.id },
});

it("[WS-6] tells a removed member who removed them, though they can read nothing else", async () => {
  const ben = await newMember("Ben");
  expect(await departureOf(ben)).toBeNull();
  granted(await db.append(ana, workspace, null, [about(ben, "member.removed")]));
  expect(await departureOf(ben)).toMatchObject({ phase: "removed", by: "Ana" });
  expect(await db.read(ben, workspace)).toEqual([]);
});

it("[WS-6] tells a former member that they left, and a stranger nothing", async () => {
  const carol = await newMember("Carol");
  granted(await db.append(carol, workspace, null, [about(carol, "member.left")]));
  expect(await departureOf(carol)).toMatchObject({ phase: "left" });
  expect(await departureOf(db.newUser("Mallory"))).toBeNull();
});

it("[WS-7] hides a former member's later address and profile from the others", async () => {
  const carol = await newMember("Carol");
  granted(
    await db.append(carol, carol.id, 0, [
      { type: "account.created", body: {} },
      { type: "account.profile_changed", body: { name: "Carol", color: null } },
    ]),
  );
  const known = async () => {
    const [row] = await db.as(
      ana,
      (t) =>
        t`select (select count(*)::int from accounts where user_id = ${carol.id}) as accounts, name,
          email from members where workspace_id = ${workspace} and user_id = ${carol.id}`,
    );
    return row;
  };
  expect(await known()).toEqual({ accounts: 1, name: "Carol", email: carol.email });
  granted(await db.append(carol, workspace, null, [about(carol, "member.left")]));
  expect(await known()).toEqual({ accounts: 0, name: "Carol", email: null });
  const moved = { ...carol, email: "carol@elsewhere.example" };
  granted(await db.append(moved, carol.id, null, [{ type: "auth.signed_in", body: {} }]));
  expect(await known()).toEqual({ accounts: 0, name: "Carol", email: null });
  const before = await readModels(db);
  await db.sql`select rebuild_projections()`;
  expect(await readModels(db)).toEqual(before);
  granted(await accept(db, moved, await invite(db, ana, workspace, {})));
  expect(await known()).toEqual({ accounts: 1, name: "Carol", email: moved.email });
});
