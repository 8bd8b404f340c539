import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { declaredLoad } from "@/events/crdt/payload/payload-load";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
});
beforeEach(async () => {
  document = await newDocument(db, ana, workspace);
});
afterAll(() => db.stop());

const asService = (query: (sql: TransactionSql) => PromiseLike<unknown>) =>
  db.sql.begin(async (sql) => {
    await sql`set local role service_role`;
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
    return query(sql);
  });
type Mark = { id: string; takenAt: string };
const takeMarks = async (settled = "0 seconds") => {
  const taken = await asService((sql) => sql`select take_upkeep(64, ${settled}) as taken`);
  return (taken as { taken: Mark[] }[])[0]?.taken ?? [];
};
const take = async (settled?: string) => (await takeMarks(settled)).map(({ id }) => id);
const mark = (streams: string[]) => asService((sql) => sql`select mark_upkeep(${streams})`);
const stop = (version = 1) => asService((sql) => sql`select write_stop(${document}, ${version})`);
const load = async () =>
  (await db.as(ana, (t) => t`select read_load(${document}) as load`))[0]?.load as {
    bytes: number;
    measuredAt: number | null;
    stoppedAt: number | null;
  };
const grow = async () =>
  verdict(
    await db.append(ana, document, null, [
      {
        type: "document.edited",
        body: {},
        update: Uint8Array.from([0, 0, 7, ...declaredLoad(10, 10), 1]),
      },
    ]),
  );
/** Lets this much time pass since the stop. */
const wait = (time: string) =>
  db.sql`update private.streams set stopped_until = stopped_until - ${time}::interval where id = ${document}`;

it("[SEGMENT-6] marks again the documents that the service could not maintain, and nothing else", async () => {
  const other = await newDocument(db, ana, workspace);
  await take();
  await mark([document, workspace, randomUUID()]);
  expect(await take("10 seconds")).toEqual([]);
  await mark([other, document]);
  expect((await take()).sort()).toEqual([document, other].sort());
  expect(await take()).toEqual([]);
});

it("[SEGMENT-6] passes a mark on when its process ends, and keeps a newer one", async () => {
  // Sent as text, because the client keeps only the milliseconds of a timestamp.
  const settle = ({ takenAt = "" }: Partial<Mark> = {}) =>
    asService((sql) => sql`select settle_upkeep(${document}, ${takenAt}::text::timestamptz)`);
  const wait = (minutes: number) => db.sql`
    update private.upkeep set taken_at = taken_at - ${minutes} * interval '1 minute'
    where stream_id = ${document}`;
  await take();
  await mark([document]);
  expect([await take(), await take()]).toEqual([[document], []]);
  await wait(14);
  expect(await take()).toEqual([]);
  await wait(2);
  const [first] = await takeMarks();
  expect(first?.id).toBe(document);
  // A mark that was made since belongs to another run, so the first run does not settle it.
  await mark([document]);
  await settle(first);
  const [second] = await takeMarks();
  expect(second?.id).toBe(document);
  await settle(first);
  await wait(16);
  const [third] = await takeMarks();
  expect(third?.id).toBe(document);
  await settle(third);
  await wait(16);
  expect(await take()).toEqual([]);
});

it("[SEGMENT-6] [LOG-56] the service alone marks a document again or stops its fold", async () => {
  const people = ["Ben", "Carol", "Dora", "Mallory"].map((name) => db.newUser(name));
  for (const [index, role] of (["editor", "commenter", "viewer"] as const).entries()) {
    const person = people[index];
    if (person) await join(db, ana, workspace, person, role);
  }
  await take();
  for (const user of [ana, ...people, null]) {
    await expect(db.as(user, (t) => t`select mark_upkeep(${[document]})`)).rejects.toThrow(
      /permission denied/,
    );
    await expect(db.as(user, (t) => t`select settle_upkeep(${document}, now())`)).rejects.toThrow(
      /permission denied/,
    );
    await expect(db.as(user, (t) => t`select write_stop(${document}, 1)`)).rejects.toThrow(
      /permission denied/,
    );
  }
  expect(await take()).toEqual([]);
  expect((await load()).stoppedAt).toBeNull();
});

it("[LOG-56] a stop for time holds for an hour, and leaves the counts unchanged", async () => {
  expect(await grow()).toBe("ok");
  const before = await load();
  await stop();
  expect(await load()).toEqual({ ...before, stoppedAt: 1 });
  expect(await grow()).toBe("too-large");
  await wait("59 minutes");
  await take();
  expect(await grow()).toBe("too-large");
  await wait("2 minutes");
  await take();
  expect(await load()).toEqual(before);
  expect(await grow()).toBe("ok");
});

it("[LOG-56] a repeated stop doubles its time until the document is measured", async () => {
  for (const hours of [1, 2, 4]) {
    await stop();
    // Two processes that fold the document at the same time count once.
    await stop();
    await wait(`${hours} hours -1 minute`);
    await take();
    expect((await load()).stoppedAt).toBe(1);
    await wait("2 minutes");
    await take();
    expect((await load()).stoppedAt).toBeNull();
  }
  await asService((sql) => sql`select write_load(${document}, 1, 100, 20)`);
  await stop();
  await wait("1 hour");
  await take();
  expect((await load()).stoppedAt).toBeNull();
});

it("[LOG-56] a stop for size is permanent, even after one for time", async () => {
  await stop();
  await asService((sql) => sql`select write_load(${document}, 1, 100, 20, true)`);
  await stop();
  await wait("1000 hours");
  await take();
  expect((await load()).stoppedAt).toBe(1);
});

it("[LOG-56] a stop must name a version of the log, and none older than a redaction", async () => {
  await expect(stop(2)).rejects.toThrow("invalid-event");
  await expect(stop(0)).rejects.toThrow("invalid-event");
  await db.sql`update private.streams set redacted_at = 1, version = 2 where id = ${document}`;
  await expect(stop(0)).rejects.toThrow("invalid-event");
  await db.sql`update private.streams set redacted_at = 2 where id = ${document}`;
  await expect(stop(1)).rejects.toThrow("version-conflict");
  await db.sql`update private.streams set redacted_at = 0, version = 1 where id = ${document}`;
});

it("[LOG-56] lifts no stop while its document is being written, and does not wait", async () => {
  await stop();
  await wait("1 hour");
  await db.sql.begin(async (append) => {
    await append`select from private.streams where id = ${document} for update`;
    await take();
    expect((await load()).stoppedAt).toBe(1);
  });
  await take();
  expect((await load()).stoppedAt).toBeNull();
});
