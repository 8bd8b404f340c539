import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, type TestDatabase } from "../support/database";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.stop());

const text = readFileSync(new URL("../../supabase/database.types.ts", import.meta.url), "utf8");

it("[LOG-14] the read models have the columns that the types name", async () => {
  const tables = {
    accounts: "AccountRow",
    workspaces: "WorkspaceRow",
    members: "MemberRow",
    invitations: "InvitationRow",
    documents: "DocumentRow",
    versions: "VersionRow",
    threads: "ThreadRow",
    comments: "CommentRow",
  };
  for (const [table, type] of Object.entries(tables)) {
    const fields = new RegExp(`export type ${type} = \\{([^}]*)\\}`).exec(text)?.[1] ?? "";
    const named = [...fields.matchAll(/^ {2}(\w+): (.*)$/gm)].map(([, name = "", type = ""]) => ({
      name,
      nullable: type.includes("| null"),
    }));
    const columns = await db.sql<{ name: string; nullable: boolean }[]>`
      select attname as name, not attnotnull as nullable from pg_attribute where attrelid = ${table}::regclass and attnum > 0 order by attname`;
    expect(named.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([...columns]);
  }
});

it("[LOG-32] the functions have the arguments that the types name", async () => {
  const named = [...text.matchAll(/^ {6}(\w+): \{\s+Args: (.*?);\s+Returns/gms)].map(
    ([, name = "", args = ""]) => [name, [...args.matchAll(/(\w+)\??:/g)].map(([, arg]) => arg)],
  );
  const functions = await db.sql<{ name: string; args: string[] | null }[]>`
    select proname as name, proargnames as args from pg_proc where pronamespace = 'public'::regnamespace`;
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(functions.map(({ name, args }) => [name, args ?? []])),
  );
});
