import { afterAll, beforeAll, expect, it } from "vitest";
import { storyTypes } from "@/components/workspace/activity/workspace-story";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { accept, granted, invite, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
afterAll(() => db.stop());

const types = [...storyTypes];
const readBy = (user: User | null) =>
  db.as(
    user,
    (t) => t`
    select type from public.events where workspace_id = ${workspace} and type <> 'document.edited'
      and type = any(${types}) order by position desc limit 400`,
  );

it("[UNDERSTAND-15] lists a workspace's events to members of every role alone", async () => {
  const member = async (name: string, role: "editor" | "commenter" | "viewer") => {
    const user = db.newUser(name);
    await accept(db, user, await invite(db, ana, workspace, { role }));
    return user;
  };
  const [editor, commenter, viewer, removed] = [
    await member("Ben", "editor"),
    await member("Carol", "commenter"),
    await member("Dora", "viewer"),
    await member("Emil", "editor"),
  ];
  granted(
    await db.append(ana, workspace, null, [
      { type: "member.removed", body: {}, subject: { kind: "member", id: removed.id } },
    ]),
  );
  const whole = (await readBy(ana)).map(({ type }) => type);
  expect(whole.at(-1)).toBe("workspace.created");
  expect(whole.filter((type) => type === "member.joined").length).toBeGreaterThanOrEqual(4);
  for (const user of [editor, commenter, viewer])
    expect((await readBy(user)).map(({ type }) => type)).toEqual(whole);
  for (const user of [removed, db.newUser("Mallory")]) expect(await readBy(user)).toEqual([]);
  await expect(readBy(null)).rejects.toThrow(/permission denied/);
});

it("[UNDERSTAND-15] reads no edits", async () => {
  const plan = await db.sql.begin(async (t) => {
    await t`set local enable_seqscan = off`;
    await t`set local enable_bitmapscan = off`;
    await t`set local enable_sort = off`;
    return t.unsafe(
      `explain select type from public.events where workspace_id = '${workspace}' and type <>
        'document.edited' and type = any('{${types.join(",")}}') order by position desc limit 400`,
    );
  });
  expect(JSON.stringify(plan)).toContain("events_but_edits");
});
