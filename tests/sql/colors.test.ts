import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { givenColors, member as aggregate } from "@/machines/member";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { accept, granted, invite, join, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

const wearing = async (workspace: string, user: User) => {
  const [row] = await db.as(
    user,
    (t) => t`select color from members where workspace_id = ${workspace} and user_id = ${user.id}`,
  );
  return row?.color as unknown;
};
const choose = async (user: User, color: number | null) => {
  await db.append(user, user.id, 0, [{ type: "account.created", body: {} }]);
  granted(
    await db.append(user, user.id, null, [
      { type: "account.profile_changed", body: { name: user.name, color } },
    ]),
  );
};
const member = (user: User, type: string) => ({
  type,
  subject: { kind: "member", id: user.id },
  body: {},
});

it("[COLOR-1] twelve members wear the palette in order, and the thirteenth its first colour", async () => {
  const people = Array.from({ length: 13 }, (_, at) => db.newUser(`P${at}`));
  const [ana] = people;
  if (!ana) throw new Error("nobody");
  const workspace = await newWorkspace(db, ana);
  for (const person of people.slice(1)) await join(db, ana, workspace, person, "viewer");
  expect(await Promise.all(people.map((person) => wearing(workspace, person)))).toEqual([
    ...givenColors,
    givenColors[0],
  ]);
});

it("[COLOR-1] people who join at once get different colours", async () => {
  const ana = db.newUser("Ana");
  const workspace = await newWorkspace(db, ana);
  const link = await invite(db, ana, workspace);
  const others = Array.from({ length: 8 }, (_, at) => db.newUser(`Q${at}`));
  for (const answer of await Promise.all(others.map((person) => accept(db, person, link))))
    granted(answer);
  const worn = await Promise.all([ana, ...others].map((person) => wearing(workspace, person)));
  expect(new Set(worn)).toEqual(new Set(givenColors.slice(0, 9)));
});

it("[COLOR-2] a chosen colour applies in every workspace and is given to no new member", async () => {
  const [ana, ben, carol] = [db.newUser("Ana"), db.newUser("Ben"), db.newUser("Carol")];
  const [hers, his] = [await newWorkspace(db, ana), await newWorkspace(db, ben)];
  await choose(ana, 0);
  await choose(ben, null);
  expect([await wearing(hers, ana), await wearing(his, ben)]).toEqual([0, 8]);
  await join(db, ana, hers, ben, "editor");
  expect(await wearing(hers, ben)).toBe(8);
  await join(db, ana, hers, carol, "editor");
  expect(await wearing(hers, carol)).toBe(5);
  await choose(ben, 11);
  expect([await wearing(hers, ben), await wearing(his, ben)]).toEqual([11, 11]);
  await choose(ben, null);
  expect([await wearing(hers, ben), await wearing(his, ben)]).toEqual([8, 8]);
});

it("[COLOR-1] a returning member keeps their colour, even beside a newer member with it", async () => {
  const [ana, ben, carol] = [db.newUser("Ana"), db.newUser("Ben"), db.newUser("Carol")];
  const workspace = await newWorkspace(db, ana);
  await join(db, ana, workspace, ben, "editor");
  granted(await db.append(ben, workspace, null, [member(ben, "member.left")]));
  await join(db, ana, workspace, carol, "editor");
  await join(db, ana, workspace, ben, "editor");
  expect([
    await wearing(workspace, ana),
    await wearing(workspace, ben),
    await wearing(workspace, carol),
  ]).toEqual([8, 0, 5]);
});

it("[COLOR-1] a member cannot choose an assigned colour", async () => {
  const [ana, ben] = [db.newUser("Ana"), db.newUser("Ben")];
  const workspace = await newWorkspace(db, ana);
  const link = await invite(db, ana, workspace);
  const forged = {
    type: "member.joined",
    subject: { kind: "member", id: ben.id },
    body: { role: "editor", invitationId: link.id, color: 8 },
  };
  expect(await db.append(ben, workspace, null, [forged])).toMatchObject({
    ok: false,
    refusal: { name: "not-permitted" },
  });
  await expect(
    db.as(ben, (t) => t`select private.next_color(${workspace}, ${randomUUID()})`),
  ).rejects.toThrow(/permission denied/);
});

it("[COLOR-3] a member without a recorded colour gets the same one in SQL and in TypeScript", async () => {
  for (let round = 0; round < 30; round++) {
    const id = randomUUID();
    const old = {
      id: randomUUID(),
      version: 2,
      type: "member.joined",
      toPhase: "active",
      subject: { kind: "member", id },
      streamId: id,
      actorId: id,
      recordedAt: "",
      body: { role: "editor", invitationId: id },
    };
    const [row] = await db.sql`select private.first_color(${id}) as color`;
    expect(aggregate.evolve(aggregate.start(), old).state.color).toBe(row?.color);
  }
});
