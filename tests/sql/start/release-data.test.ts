import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { parseRow } from "@/events/core/envelope";
import type { Ruled } from "@/events/core/envelope";
import { pageAt } from "@/events/history/timeline/document-text";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { checkBundle } from "@/events/proof/bundle-check";
import { openArchive } from "@/supabase/local/backup/archive-reader";
import { loadTables } from "@/supabase/local/backup/load";
import { openTarget } from "@/supabase/local/backup/restore-target";
import { applyMigrations } from "@/supabase/local/database/migrations";
import { startPostgres } from "@/supabase/local/database/postgres";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { succeed } from "@/tests/support/product/command";
import { removeFolder } from "@/tests/support/product/data-folder";
import { visitor } from "@/tests/support/writers/people";

/** The releases with recorded data, which tests/releases/make.ts wrote with each release. */
const releases = readdirSync("tests/releases", { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const expectedSchema = z.object({
  document: z.string(),
  head: z.string(),
  version: z.number(),
  password: z.string(),
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-release-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

function expectHistory(rows: Ruled[], expected: z.infer<typeof expectedSchema>): void {
  expect(rows.at(-1)).toMatchObject({ version: expected.version, hash: expected.head });
  const timeline = openTimeline(rows);
  const page = pageAt(timeline, timeline.length - 1);
  expect(page.title).toBe("Plans");
  expect(page.text).toBe("Ana sows peas. Ben waters them.");
}

/**
 * Creates a data folder as a release left it, from the release's recorded project schema,
 * migrations, rows and files.
 */
async function releasedFolder(of: (name: string) => string): Promise<string> {
  const dataDir = await newFolder();
  const archive = await openArchive(of("workspace.backup"));
  const target = await openTarget(dataDir, () => undefined);
  try {
    const server = await startPostgres({ directory: target.postgres, log: () => undefined });
    const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
    await sql.unsafe(readFileSync(of("project-schema.sql"), "utf8"));
    await applyMigrations(sql, new Set(archive.about.migrations));
    await loadTables(server.url, archive);
    await sql.end();
    await server.stop();
    await target.writeFiles(archive);
    await target.publish();
  } finally {
    await target.release();
    await archive.close();
  }
  return dataDir;
}

describe.each(releases)("release %s", (release) => {
  const of = (name: string) => join("tests/releases", release, name);
  const expected = expectedSchema.parse(JSON.parse(readFileSync(of("expected.json"), "utf8")));

  /** Opens a data folder as a start does, and reads it as each person who wrote in it. */
  async function expectWorkspace(dataDir: string): Promise<void> {
    const backend = await testBackend({ DATA_DIR: dataDir });
    onTestFinished(() => backend.stop());
    const clients = await Promise.all(["ana", "ben"].map((name) => signIn(backend, name)));
    for (const client of clients) {
      const { data } = await client.rpc("read_events", { stream: expected.document });
      expectHistory(z.array(z.unknown()).parse(data).map(parseRow), expected);
      const { data: comments } = await client.from("comments").select("text");
      expect(comments).toEqual([{ text: "Beans, too." }]);
    }
    // These people can also continue to write.
    const event = { id: randomUUID(), type: "document.renamed", body: '{"title":"Beds"}' };
    const answer = await clients[1]?.rpc("append_events", {
      stream: expected.document,
      expected_version: expected.version,
      events: [event],
    });
    expect(answer?.error).toBeNull();
  }

  async function signIn(backend: TestBackend, name: string) {
    const client = visitor(backend);
    const { error } = await client.auth.signInWithPassword({
      email: `${name}@example.com`,
      password: expected.password,
    });
    expect(error).toBeNull();
    return client;
  }

  it("[START-45] the data folder opens, with its people, texts and comments", async () => {
    await expectWorkspace(await releasedFolder(of));
  });

  it("[START-45] a backup is restored and opens", async () => {
    const dataDir = join(await newFolder(), "data");
    await succeed("restore", of("workspace.backup"), dataDir);
    await expectWorkspace(dataDir);
  });

  it("[START-45] an exported document is verified and read", async () => {
    const bundle = readFileSync(of("plans.palimpsest.zip"));
    const checked = await checkBundle(new Uint8Array(bundle), () => undefined);
    expectHistory(checked.bundle.rows, expected);
    expect(checked.absent).toEqual([]);
  });
});
