import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, join, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let workspace: string;
let document: string;
const heads: string[] = [""];

beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  workspace = await newWorkspace(db, ana);
  document = await newDocument(db, ana, workspace);
  granted(
    await db.append(
      ana,
      document,
      1,
      ["a", "b", "c"].map((title) => ({ type: "document.renamed", body: { title } })),
    ),
  );
  const rows = await db.sql<
    { hash: string }[]
  >`select encode(hash, 'hex') as hash from events where stream_id = ${document} order by version`;
  heads.push(...rows.map(({ hash }) => hash));
});
afterAll(() => db.stop());

const write = (
  from: number,
  version: number,
  { head = heads[version] ?? "", bytes = "AQI=", seen = 4 } = {},
) =>
  db.sql.begin(async (sql) => {
    await sql`set local role service_role`;
    await sql`select set_config('request.jwt.claims', '{"role":"service_role"}', true)`;
    await sql`select write_segment(${document}, ${from}, ${version}, ${seen}, 1, 1, ${head}, ${bytes})`;
  });
const read = async (user: User, after = 0) => {
  const [row] = await db.as(
    user,
    (t) => t`select read_segments(${document}, ${after}) as segments`,
  );
  return row?.segments as unknown;
};

it("[SEGMENT-3] keeps a segment only of this log, and only where the one before ends", async () => {
  await expect(write(1, 2, { head: heads[3] ?? "" })).rejects.toThrow("invalid-event");
  await expect(write(1, 9, { head: heads[4] ?? "" })).rejects.toThrow("invalid-event");
  await expect(write(1, 2, { seen: 5 })).rejects.toThrow("invalid-event");
  await expect(write(2, 3)).rejects.toThrow("invalid-event");
  await expect(write(1, 1, { bytes: "?" })).rejects.toThrow("invalid-event");
  await write(1, 2);
  await write(3, 3, { bytes: "AwQF" });
  expect(await read(ana)).toEqual([
    { from: 1, to: 2, moments: 1, bytes: "AQI=" },
    { from: 3, to: 3, moments: 1, bytes: "AwQF" },
  ]);
  expect(await read(ana, 1)).toEqual([{ from: 3, to: 3, moments: 1, bytes: "AwQF" }]);
});

it("[SEGMENT-3] replaces all segments from its first version on with a rebuilt one", async () => {
  await write(1, 2);
  await write(3, 3);
  await write(3, 4);
  expect(await read(ana)).toMatchObject([
    { from: 1, to: 2 },
    { from: 3, to: 4 },
  ]);
  await write(1, 4);
  expect(await read(ana)).toMatchObject([{ from: 1, to: 4 }]);
});

it("[SEGMENT-3] is written by the service alone and read by members alone", async () => {
  await write(1, 4);
  const [mallory, carol] = [db.newUser("Mallory"), db.newUser("Carol")];
  await join(db, ana, workspace, carol, "viewer");
  expect(await read(carol)).toMatchObject([{ to: 4 }]);
  expect(await read(mallory)).toEqual([]);
  const seen = await db.as(mallory, (t) => t`select * from segments`);
  expect(seen).toHaveLength(0);
  await expect(
    db.as(
      ana,
      (t) => t`select write_segment(${document}, 1, 1, 1, 1, 1, ${heads[1] ?? ""}, 'AQI=')`,
    ),
  ).rejects.toThrow(/permission denied/);
  await expect(
    db.sql.begin(async (sql) => {
      await sql`set local role anon`;
      await sql`select read_segments(${document})`;
    }),
  ).rejects.toThrow(/permission denied/);
});

it("[SEGMENT-3] does not block a redaction that deletes it at that moment", async () => {
  await write(1, 2);
  await write(3, 4);
  const writer = await db.sql.begin(async (redaction) => {
    await redaction`select from private.streams where id = ${document} for update`;
    const writing = write(3, 4).then(
      () => "written",
      (error: Error) => error.message,
    );
    await expect
      .poll(async () => (await db.sql`select from pg_locks where not granted`).length, {
        timeout: 30_000,
      })
      .toBeGreaterThan(0);
    await redaction`select private.drop_caches(${document})`;
    return { writing };
  });
  // The segment before this one has since been removed.
  expect(await writer.writing).toBe("invalid-event");
  expect(await read(ana)).toEqual([]);
});
