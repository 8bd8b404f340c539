import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { supabaseStore } from "@/events/log/store";
import { signalDatabase } from "@/tests/support/product/database-signal";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";

const metricsToken = "token-of-whoever-watches";
/** A written text, which no log may contain. */
const words = "Heliotrope";

let stack: Stack;
let ana: Person;

beforeAll(async () => {
  stack = await startStack({
    env: { LOG_FORMAT: "json", LOG_LEVEL: "debug", METRICS_TOKEN: metricsToken },
  });
  ana = await signUp(stack, `Ana ${words}`);
}, 300_000);
afterAll(() => stack.dispose());

const ask = (path: string, headers: Record<string, string> = {}) =>
  raw(`${stack.url}${path}`, { headers });
const readiness = async () => {
  const { status, text } = await ask("/ready");
  return {
    status,
    ...z.object({ checks: z.record(z.string(), z.string()) }).parse(JSON.parse(text)),
  };
};

/** Returns the samples of a metric, keyed by the text before the value. */
async function metrics(): Promise<Map<string, number>> {
  const { text } = await ask("/metrics", { authorization: `Bearer ${metricsToken}` });
  const samples = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    samples.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const recorded = 'palimpsest_append_seconds_count{outcome="recorded"}';
const refused = 'palimpsest_append_seconds_count{outcome="not-permitted"}';

describe("[OPS-1] [OPS-2] a product whose database hangs", () => {
  test("is alive and not ready, and is ready once it answers again", async () => {
    await expect.poll(readiness).toEqual({
      status: 200,
      checks: {
        database: "ok",
        writes: "ok",
        disk: "ok",
        migrations: "ok",
        realtime: "ok",
        data: "ok",
        pages: "ok",
      },
    });
    await signalDatabase(stack, "SIGSTOP");
    try {
      await expect.poll(async () => (await readiness()).status).toBe(503);
      expect((await readiness()).checks).toMatchObject({ database: "failed" });
      expect(await ask("/health")).toMatchObject({ status: 200, text: '{"status":"alive"}' });
    } finally {
      await signalDatabase(stack, "SIGCONT");
    }
    await expect.poll(async () => (await readiness()).status).toBe(200);
  });
});

describe("[OPS-3] the metrics", () => {
  test("count recorded and refused events, and describe the current load", async () => {
    const before = await metrics();
    const document = await meet([ana]);
    const store = supabaseStore(ana.client);
    const rename = (title: string) => ({
      id: randomUUID(),
      type: "document.renamed",
      body: { title },
    });
    const mallory = supabaseStore((await signUp(stack, "Mallory")).client);
    expect(await store.append(document, null, [rename(words)])).toMatchObject({ ok: true });
    expect(await mallory.append(document, null, [rename("mine")])).toMatchObject({ ok: false });
    const after = await metrics();
    expect(after.get(recorded)).toBeGreaterThan(before.get(recorded) ?? 0);
    expect(after.get(refused)).toBe((before.get(refused) ?? 0) + 1);
    for (const name of [
      "palimpsest_realtime_connections",
      "palimpsest_realtime_channels",
      "palimpsest_bodies_waiting",
      'palimpsest_calls_waiting{kind="data"}',
      'palimpsest_calls_waiting{kind="log"}',
      'palimpsest_calls_waiting{kind="auth"}',
      'palimpsest_tasks_waiting{pool="heavy"}',
      "nodejs_eventloop_lag_p99_seconds",
      'palimpsest_log_lines_total{level="info"}',
      'palimpsest_http_request_seconds_count{kind="append",status="2xx"}',
    ])
      expect(after.get(name), name).toBeTypeOf("number");
  });

  test("refuse a request without the token", async () => {
    expect((await ask("/metrics")).status).toBe(403);
    expect((await ask("/metrics", { authorization: "Bearer wrong" })).status).toBe(403);
  });
});

describe("[OPS-4] [OPS-5] [OPS-6] the log of a product in use", () => {
  test("has one object a line, names the request, and holds no word, address, token or key", async () => {
    const asAna = await pageAs(ana);
    const asked = `/nowhere/${words}?q=${words}`;
    await asAna(`${stack.url}${asked}`);
    await ana.client.from("documents").select("*").eq("title", words);
    await ana.client.from("documents").select("*").eq("id", words);
    await ana.client.rpc("append_events", { stream: words, expected_version: 0, events: [words] });
    await ana.client.storage.from("states").download(`${words}.bin`);
    await ana.client.auth.signInWithPassword({ email: ana.email, password: words });
    await asAna(`${stack.url}/invite/${words}`);
    const { headers } = await ask("/");
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{16}$/);
    await expect.poll(() => stack.output()).toContain(String(headers["x-request-id"]));
    const lines = stack.output().trim().split("\n");
    const shape = z.looseObject({ level: z.string(), time: z.iso.datetime(), msg: z.string() });
    const parsed = lines.map((line) => shape.parse(JSON.parse(line)));
    expect(parsed.filter(({ msg }) => msg.startsWith("Ready on "))).toHaveLength(1);
    expect(parsed.filter(({ level }) => level === "debug").length).toBeGreaterThan(10);
    const secrets = [words, ana.email, ana.password, await ana.accessToken(), stack.keys.secretKey];
    for (const secret of secrets)
      expect(
        lines.filter((line) => line.includes(secret)),
        secret,
      ).toEqual([]);
  });
});

describe("[HOUSE-19] a build", () => {
  test("serves and names no source maps", () => {
    const served = fileURLToPath(new URL("../../.next/static", import.meta.url));
    const files = readdirSync(served, { recursive: true, encoding: "utf8" });
    const scripts = files.filter((name) => /\.(js|css)$/.test(name));
    expect(scripts.length).toBeGreaterThan(20);
    expect(files.filter((name) => name.endsWith(".map"))).toEqual([]);
    expect(
      scripts.filter((name) =>
        readFileSync(join(served, name), "utf8").includes("sourceMappingURL="),
      ),
    ).toEqual([]);
  });
});
