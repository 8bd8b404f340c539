import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase } from "@/tests/support/database/database";
import { newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let document = "";
let [one, other] = ["", ""];
const kinds = ["upkeep", "lines", "index", "links", "deletions", "users"];

beforeAll(async () => {
  db = await testDatabase();
  const ana = db.newUser("Ana");
  document = await newDocument(db, ana, await newWorkspace(db, ana));
});
afterAll(() => db.stop());
beforeEach(async () => {
  [one, other] = [randomUUID(), randomUUID()];
  await db.sql`delete from private.work_turns`;
});

/** Marks the document as a large append did an hour ago. */
async function markDocument() {
  await db.sql`select mark_upkeep(array[${document}]::uuid[])`;
  await db.sql`
    update private.upkeep set marked_at = now() - interval '1 hour' where stream_id = ${document}`;
}

async function take(process: string, asked = kinds, always = false): Promise<string[]> {
  const [row] = await db.sql`select take_work(${process}, ${asked}, ${always}) as own`;
  return Array.isArray(row?.own) ? row.own.map(String) : [];
}

it("[HOSTED-5] names waiting work alone", async () => {
  expect(await take(one)).toEqual(["index", "links"]);
  await markDocument();
  expect(await take(one)).toEqual(["upkeep", "index", "links"]);
  expect(await take(one, ["pictures", "unknown"])).toEqual(["pictures"]);
  expect(await take(one, ["users"])).toEqual([]);
  expect(await take(one, ["users"], true)).toEqual(["users"]);
});

it("[HOSTED-5] gives work to one of many processes that ask at once, and keeps it there", async () => {
  const processes = Array.from({ length: 8 }, () => randomUUID());
  const answers = await Promise.all(processes.map((process) => take(process, ["index"])));
  expect(answers.flat()).toEqual(["index"]);
  const winner = processes[answers.findIndex((own) => own.length > 0)] ?? "";
  expect(await take(winner, ["index"])).toEqual(["index"]);
  expect(await take(other, ["index"])).toEqual([]);
});

it("[HOSTED-5] passes on the work of a process that stopped asking", async () => {
  expect(await take(one, ["index"])).toEqual(["index"]);
  await db.sql`update private.work_turns set ends_at = now() - interval '1 second' where true`;
  expect(await take(other, ["index"])).toEqual(["index"]);
  expect(await take(one, ["index"])).toEqual([]);
});

it("[HOSTED-5] documents are taken one by one, so every process may take some", async () => {
  await markDocument();
  expect(await take(one, ["upkeep"])).toEqual(["upkeep"]);
  expect(await take(other, ["upkeep"])).toEqual(["upkeep"]);
});

it("[HOSTED-5] serves the service alone", async () => {
  const ana = db.newUser("Ana");
  for (const caller of [ana, null])
    await expect(db.as(caller, (sql) => sql`select take_work(${one}, ${kinds})`)).rejects.toThrow(
      "permission denied",
    );
});
