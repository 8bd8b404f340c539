import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { mkdtemp, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startPostgres } from "@/supabase/local/database/postgres";
import { newDataFolder, removeFolder } from "@/tests/support/product/data-folder";
import { signInAgain, signUp } from "@/tests/support/writers/people";
import { freePort, isGoodStop, launch, startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

const root = fileURLToPath(new URL("../..", import.meta.url));
const postgresModule = pathToFileURL(join(root, "supabase/local/database/postgres.ts")).href;

/** The soak run tries every moment. Each moment costs two starts. */
const isSoak = process.env["SOAK"] === "1";

/** Starts the database in a folder, and exits as soon as the server exists. */
const endsEarly = `
  import { existsSync } from "node:fs";
  const [, module, directory] = process.argv;
  const { startPostgres } = await import(module);
  void startPostgres({ directory, log: () => undefined });
  setInterval(() => existsSync(directory + "/cluster/postmaster.pid") && process.exit(0), 5);
`;

describe("a running workspace", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.dispose());

  test("[START-1] a second start on its port names it, and changes nothing", async () => {
    const dataDir = join(tmpdir(), `never-made-${process.pid}`);
    const second = launch({ port: stack.port, dataDir });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      /Workspace is already open in another process \(pid \d+, started \d\d:\d\d\) on port \d+/,
    );
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
  });

  test("[START-1] a second start on its data names it, and changes nothing", async () => {
    const ana = await signUp(stack, "Ana");
    const before = await readFile(
      join(stack.dataDir, "postgres", "cluster", "postmaster.pid"),
      "utf8",
    );
    const second = launch({ port: await freePort(), dataDir: stack.dataDir });
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain("Workspace is already open in another process (pid ");
    expect(
      await readFile(join(stack.dataDir, "postgres", "cluster", "postmaster.pid"), "utf8"),
    ).toBe(before);
    await signInAgain(stack, ana);
  });

  test("[START-1] a start on the port of another program names that program", async () => {
    const port = await freePort();
    const other = createServer((_incoming, outgoing) => outgoing.end("hello"));
    await new Promise<void>((settle) => other.listen(port, "127.0.0.1", settle));
    const second = launch({ port, dataDir: join(tmpdir(), `never-made-${process.pid}`) });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`Port ${port} is in use by .+ \\(pid ${process.pid}\\)`),
    );
    await new Promise((settle) => other.close(settle));
  });

  test("[START-2] stops at SIGTERM while people are working, and loses no acknowledged change", async () => {
    const work = await keepWorking(stack);
    await expect.poll(work.acknowledged, patient).toBeGreaterThan(50);
    const stop = await stack.stop();
    await work.end();
    expect(stop).toSatisfy(isGoodStop);
    await stack.restart();
    expect(stack.output()).not.toContain("Stopping the database server of an earlier run");
    await work.check();
  });

  test("[START-5] [START-8] restarts without a build, and answers everybody who reconnects at once", async () => {
    await stack.restart();
    expect(stack.output()).not.toContain("Building");
    const headers = { apikey: stack.keys.publishableKey, "content-type": "application/json" };
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        fetch(`${stack.url}/rest/v1/rpc/read_events`, {
          method: "POST",
          headers,
          body: JSON.stringify({ stream: randomUUID(), after_version: 0 }),
        }),
      ),
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test(
    "[START-3] works again after kill -9 with an orphaned database server, and keeps what it " +
      "acknowledged",
    async () => {
      let orphans = 0;
      for (const wait of isSoak ? [0, 30, 90] : [0, 60]) {
        const work = await keepWorking(stack);
        await expect.poll(work.acknowledged, patient).toBeGreaterThan(20);
        await delay(wait);
        await stack.kill();
        await work.end();
        await stack.restart();
        if (stack.output().includes("Stopping the database server of an earlier run")) orphans += 1;
        await work.check();
      }
      expect(orphans).toBeGreaterThan(0);
    },
  );
});

describe("a first start", () => {
  test("[START-4] that is killed at any moment leaves a usable folder", async () => {
    let unfinished = 0;
    for (const wait of isSoak ? [0, 100, 300, 600] : [0, 300]) {
      const dataDir = await mkdtemp(join(tmpdir(), "palimpsest-"));
      const port = await freePort();
      const first = launch({ port, dataDir });
      await expect
        .poll(() => first.output(), { timeout: 60_000, interval: 5 })
        .toContain("Making the database");
      await delay(wait);
      first.child.kill("SIGKILL");
      await first.ended;
      const made = await readdir(join(dataDir, "postgres"));
      if (!made.includes("cluster")) unfinished += 1;
      const stack = await startStack({ port, dataDir });
      await signUp(stack, "Carol");
      await stack.dispose();
    }
    expect(unfinished).toBeGreaterThan(0);
  });

  test("[START-2] that is stopped while it makes its database leaves no server behind", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "palimpsest-"));
    const run = launch({ port: await freePort(), dataDir });
    await expect
      .poll(() => run.output(), { timeout: 60_000, interval: 5 })
      .toContain("Making the database");
    expect(await run.stop()).toSatisfy(isGoodStop);
    // A server that takes longer to start than a stop may take is stopped at the product's exit.
    await expect
      .poll(() => stat(join(dataDir, "postgres", "cluster", "postmaster.pid")).catch(() => "gone"))
      .toBe("gone");
    await removeFolder(dataDir);
  });

  test("[START-2] that ends while its database starts leaves no server behind", async () => {
    const directory = await mkdtemp(join(tmpdir(), "palimpsest-"));
    const first = await startPostgres({ directory, log: () => undefined });
    await first.stop();
    const starting = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", endsEarly, postgresModule, directory],
      { cwd: root, stdio: "inherit" },
    );
    expect(await new Promise((settle) => starting.once("close", settle))).toBe(0);
    await expect
      .poll(() => stat(join(directory, "cluster", "postmaster.pid")).catch(() => "gone"))
      .toBe("gone");
    await removeFolder(directory);
  });

  test("[KEY-2] refuses a publicly known signing secret, and leaves the file unchanged", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "palimpsest-"));
    const keys = JSON.stringify({
      publishableKey: "sb_publishable_x",
      secretKey: "sb_secret_x",
      jwtSecret: "dev-secret-change-me",
    });
    await writeFile(join(dataDir, "keys.json"), keys);
    const run = launch({ port: await freePort(), dataDir });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain("published default or shorter than 32 bytes");
    expect(await readFile(join(dataDir, "keys.json"), "utf8")).toBe(keys);
    expect(await readdir(dataDir)).toEqual(["keys.json"]);
    await removeFolder(dataDir);
  });

  test("refuses another major version's PostgreSQL data, and leaves it unchanged", async () => {
    const dataDir = await newDataFolder();
    const version = join(dataDir, "postgres", "cluster", "PG_VERSION");
    await writeFile(version, "16\n");
    const run = launch({ port: await freePort(), dataDir });
    expect(await run.ended).toBe(1);
    expect(run.output()).toContain("was written by PostgreSQL 16");
    await writeFile(version, "17\n");
    const stack = await startStack({ dataDir });
    await stack.dispose();
  });

  test("[START-6] with a hosted project starts no backend and makes no data folder", async () => {
    const dataDir = join(tmpdir(), `never-made-${process.pid}`);
    const port = await freePort();
    const run = launch({
      port,
      dataDir,
      env: {
        NEXT_PUBLIC_SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
        NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_hosted",
      },
    });
    onTestFinished(() => void run.child.kill("SIGTERM"));
    await run.ready();
    for (const path of ["/auth/v1/health", "/rest/v1/", "/mail/messages.json"]) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { apikey: "sb_publishable_hosted" },
        redirect: "manual",
      });
      expect(response.headers.get("content-type") ?? "", path).not.toContain("json");
    }
    await expect(stat(dataDir)).rejects.toThrow("ENOENT");
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
  });
});

const patient = { timeout: 60_000, interval: 10 };

/** Lets two people count as fast as they can. Everything acknowledged must survive a fault. */
async function keepWorking(stack: Stack) {
  const people = await Promise.all(["Ana", "Ben"].map((name) => signUp(stack, name)));
  const last = people.map(() => 0);
  let stopping = false;
  const loops = people.map(async ({ client }, index) => {
    for (let count = 1; !stopping; count += 1) {
      const { error } = await client.auth.updateUser({ data: { count } });
      if (error) return;
      last[index] = count;
    }
  });
  return {
    acknowledged: () => last.reduce((sum, count) => sum + count, 0),
    async end() {
      stopping = true;
      await Promise.all(loops);
    },
    async check() {
      for (const [index, person] of people.entries()) {
        const again = await signInAgain(stack, person);
        expect(again.user.user_metadata.count).toBeGreaterThanOrEqual(last[index] ?? 0);
      }
    },
  };
}
