import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { supabaseStore } from "@/events/log/store";
import { isRunning, pageProcess } from "@/tests/support/product/page-process";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";

const ready = z.object({ checks: z.object({ pages: z.string() }) });
let stack: Stack;
let ana: Person;
let ben: Person;
let asAna: typeof fetch;
let document: string;

beforeAll(async () => {
  stack = await startStack({ env: { LOG_FORMAT: "json" } });
  ana = await signUp(stack, "Ana");
  asAna = await pageAs(ana);
  ben = await signUp(stack, "Ben");
  document = await meet([ana, ben]);
}, 300_000);
afterAll(() => stack.dispose());

const page = () => asAna(`${stack.url}/d/${document}`, { headers: { accept: "text/html" } });
const rename = () =>
  supabaseStore(ben.client).append(document, null, [
    { id: randomUUID(), type: "document.renamed", body: { title: "Teal" } },
  ]);
const pagesAre = async () => {
  const answer = await fetch(`${stack.url}/ready`);
  return [answer.status, ready.parse(await answer.json()).checks.pages];
};

async function renderer(): Promise<number> {
  const id = await pageProcess(stack.dataDir);
  if (id === null) throw new Error("No process renders pages.");
  return id;
}

describe("[START-50] the process that renders pages", () => {
  it("listens in a private folder, and refuses a request without the secret", async () => {
    const folder = join(stack.dataDir, "pages");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [name = ""] = await readdir(folder);
    const status = await new Promise((settle) =>
      request({ socketPath: join(folder, name), path: "/sign-in" }, (answer) => {
        answer.resume();
        settle(answer.statusCode);
      }).end(),
    );
    expect(status).toBe(403);
  });

  it("reports its memory and queues in the product's metrics", async () => {
    const text = await (await fetch(`${stack.url}/metrics`)).text();
    expect(text).toMatch(/^palimpsest_pages_process_resident_memory_bytes \d+/m);
    expect(text).toMatch(/^palimpsest_tasks_waiting\{pool="light"\} \d+/m);
  });
});

describe("[START-52] when the process that renders pages is killed", () => {
  it("writing continues, pages return, and every log line stays JSON", async () => {
    expect((await page()).status).toBe(200);
    const first = await renderer();
    process.kill(first, "SIGKILL");
    const statuses = new Set<number>();
    const look = async () => {
      expect(await rename()).toMatchObject({ ok: true });
      const answer = await page();
      const text = await answer.text();
      statuses.add(answer.status);
      if (answer.status === 503) expect(text).toContain('http-equiv="refresh"');
      return answer.status;
    };
    await expect.poll(look, { timeout: 150_000 }).toBe(200);
    expect(await renderer()).not.toBe(first);
    await expect.poll(pagesAre).toEqual([200, "ok"]);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    const ends = stack
      .output()
      .split("\n")
      .filter((line) => line.includes("pages ended ("));
    expect(ends).toHaveLength(1);
    for (const line of stack.output().trim().split("\n"))
      expect(() => void JSON.parse(line), line).not.toThrow();
  });
});

describe("[START-53] the process that renders pages", () => {
  it("ends with the product, and removes its socket", async () => {
    const id = await renderer();
    expect((await stack.stop()).code).toBe(0);
    expect(await isRunning(id)).toBe(false);
    expect(existsSync(join(stack.dataDir, "pages"))).toBe(false);
    await stack.restart();
  });

  it("ends when the main process is killed, even while it starts", async () => {
    const id = await renderer();
    await stack.kill();
    await expect.poll(() => isRunning(id)).toBe(false);
    await stack.restart();
    process.kill(await renderer(), "SIGKILL");
    await expect.poll(() => pageProcess(stack.dataDir)).not.toBeNull();
    const next = await renderer();
    await stack.kill();
    await expect.poll(() => isRunning(next)).toBe(false);
    await stack.restart();
    expect((await page()).status).toBe(200);
  });
});
