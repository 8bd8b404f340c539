import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { openArchive } from "@/supabase/local/backup/archive-reader";
import { databaseUrl } from "@/tests/support/product/backend";
import { removeFolder } from "@/tests/support/product/data-folder";
import { command, refused, succeed } from "@/tests/support/product/command";
import { service, signInAgain, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { freePort, launch, startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";

let base: string;
let file: string;
let stack: Stack;
let restored: Stack | null = null;
let ana: Person;
let document: string;
let signedPath: string;

const large = Uint8Array.from({ length: 5_000_000 }, (_, at) => (at * 31 + (at >> 9)) % 251);
const files = (of: Stack) => service(of).storage.from("papers");

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "palimpsest-backup-"));
  file = join(base, "one.backup");
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  document = await meet([ana]);
  expect((await service(stack).storage.createBucket("papers", { public: false })).error).toBeNull();
  expect((await files(stack).upload("large.bin", large)).error).toBeNull();
  const { data } = await files(stack).createSignedUrl("large.bin", 3600);
  signedPath = (data?.signedUrl ?? "").replace(stack.url, "");
}, 120_000);
afterAll(async () => {
  await restored?.dispose();
  await stack?.dispose();
  await removeFolder(base);
});

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Appends to documents and replaces a stored file continuously, until `stop` is called. */
function writing(): { stop(): Promise<number> } {
  let isStopping = false;
  const store = supabaseStore(ana.client);
  const rename = async () => {
    let count = 0;
    for (; !isStopping; count += 1) {
      const body = { title: `Title ${count}` };
      granted(
        await store.append(document, null, [{ id: randomUUID(), type: "document.renamed", body }]),
      );
    }
    return count;
  };
  const replace = async () => {
    for (let count = 0; !isStopping; count += 1) {
      const text = new TextEncoder().encode(String(count).repeat(100));
      await files(stack).upload("changing.txt", text, { upsert: true });
      // A backup holds the file between two replacements, and gives up without such a pause.
      await delay(100);
    }
    return 0;
  };
  const loops = Promise.all([rename(), rename(), replace()]);
  return {
    async stop() {
      isStopping = true;
      return (await loops).reduce((sum, count) => sum + count, 0);
    },
  };
}

describe("npm run backup and npm run restore", () => {
  it(
    "[BACKUP-1] [BACKUP-3] [BACKUP-10] a backup made while people write restores one moment, " +
      "even if a restore is killed",
    async () => {
      const writers = writing();
      const said = await succeed("backup", file, stack.dataDir);
      expect(await writers.stop()).toBeGreaterThan(10);
      expect(said).toContain("Verified: every part against its digest");
      expect(said).toMatch(/1 workspace, 1 document, [\d,]+ events, 2 stored files/);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(base)).toEqual(["one.backup"]);
      expect(await exists(join(stack.dataDir, "backup"))).toBe(false);

      const target = join(base, "restored");
      for (const moment of ["Making the database", "Verifying what was restored"]) {
        const killed = command("restore", file, target);
        await killed.prints(moment);
        killed.child.kill("SIGKILL");
        await killed.ended;
        expect(await exists(join(target, "postgres", "cluster"))).toBe(false);
      }
      const early = launch({ port: await freePort(), dataDir: target });
      expect(await early.ended).toBe(1);
      expect(early.output()).toMatch(/A restore into .* has not finished/);
      expect(await succeed("restore", file, target)).toContain(`Restored into ${target}`);
      expect((await readdir(target)).sort()).toEqual([
        "folder.json",
        "keys.json",
        "postgres",
        "storage",
      ]);
      for (const name of ["folder.json", "keys.json"])
        expect(await readFile(join(target, name), "utf8")).toBe(
          await readFile(join(stack.dataDir, name), "utf8"),
        );

      restored = await startStack({ dataDir: target });
      const again = await signInAgain(restored, ana);
      const [then, now] = await Promise.all([
        supabaseStore(again.client).read(document, 0),
        supabaseStore(ana.client).read(document, 0),
      ]);
      expect(then.length).toBeGreaterThan(1);
      expect(then.length).toBeLessThan(now.length);
      expect(then).toEqual(now.slice(0, then.length));

      // Earlier signatures stay valid: sessions, and signed URLs of files.
      const session = await fetch(`${restored.url}/rest/v1/documents?select=id`, {
        headers: {
          apikey: restored.keys.publishableKey,
          authorization: `Bearer ${await ana.accessToken()}`,
        },
      });
      expect(await session.json()).toEqual([{ id: document }]);
      const signed = await fetch(`${restored.url}${signedPath}`);
      expect(Buffer.compare(Buffer.from(await signed.arrayBuffer()), Buffer.from(large))).toBe(0);

      const sql = postgres(await databaseUrl(target), { max: 1 });
      const [feed] = await sql`
        select f.position::int, count(*)::int as events, max(e.position)::int as last
        from private.feeds f join public.events e using (workspace_id) group by 1`;
      expect([feed?.events, feed?.last]).toEqual([feed?.position, feed?.position]);
      const [object] = await sql`
        select metadata ->> 'eTag' as etag from storage.objects where name = 'changing.txt'`;
      await sql.end();
      const changing = await (await files(restored).download("changing.txt")).data?.text();
      const digest = createHash("md5").update(changing ?? "");
      expect(object?.etag).toBe(`"${digest.digest("hex")}"`);
    },
  );

  it("[BACKUP-5] [BACKUP-6] [BACKUP-11] an impossible request is refused in a sentence and changes nothing", async () => {
    const whole = await readFile(file);
    const cut = join(base, "cut.backup");
    await writeFile(cut, whole.subarray(0, whole.length / 2));
    const empty = join(base, "empty");
    await mkdir(empty);
    const [over, again, nowhere, broken, cutOff] = await Promise.all([
      refused("restore", file, stack.dataDir),
      refused("backup", file, stack.dataDir),
      refused("backup", join(base, "two.backup"), empty),
      refused("restore", join(base, "none.backup"), join(base, "new")),
      refused("restore", cut, join(base, "new")),
    ]);
    expect(over).toMatch(/already holds a workspace, .* nothing was changed/);
    expect(again).toContain("already exists and was not changed");
    expect(nowhere).toContain("There is no workspace in");
    expect(broken).toContain("There is no file");
    const limited = { mostBytes: 64 * 1024 };
    const full = await refused("backup", join(base, "full.backup"), stack.dataDir, limited);
    expect(full).toContain("The disk is full");
    expect(cutOff).toContain("This backup is truncated");
    expect((await readdir(base)).sort()).toEqual(["cut.backup", "empty", "one.backup", "restored"]);
    expect(await readdir(empty)).toEqual([]);
    expect((await readFile(file)).equals(whole)).toBe(true);
  });

  it("[BACKUP-3] a stopped workspace is backed up unchanged", async () => {
    await restored?.stop();
    const second = join(base, "second.backup");
    await succeed("backup", second, join(base, "restored"));
    const [first, other] = await Promise.all([openArchive(file), openArchive(second)]);
    const log = (archive: typeof first) =>
      archive.manifest.tables.filter(({ name }) =>
        /\b(events|event_payloads|documents)$/.test(name),
      );
    expect(log(other)).toEqual(log(first));
    expect(log(first)).toHaveLength(3);
    await Promise.all([first.close(), other.close()]);
    expect(await exists(join(base, "restored", "lock.json"))).toBe(false);
  });
});
