import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadKeys } from "./keys";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keys-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the keys of a data folder", () => {
  test("[KEY-1] are created on the first run, readable by the owner alone, and kept", async () => {
    const first = await loadKeys(folder);
    expect((await stat(join(folder, "keys.json"))).mode & 0o777).toBe(0o600);
    expect(await loadKeys(folder)).toEqual(first);
    expect(JSON.parse(await readFile(join(folder, "keys.json"), "utf8"))).toEqual(first);
  });

  test("[KEY-1] are long, in Supabase's format, and differ each time", async () => {
    const one = await loadKeys(folder);
    await rm(join(folder, "keys.json"));
    const other = await loadKeys(folder);
    expect(Buffer.byteLength(one.jwtSecret)).toBeGreaterThanOrEqual(32);
    expect(one.publishableKey).toMatch(/^sb_publishable_[\w-]{22}_[\w-]{8}$/);
    expect(one.secretKey).toMatch(/^sb_secret_[\w-]{22}_[\w-]{8}$/);
    expect(new Set([...Object.values(one), ...Object.values(other)]).size).toBe(6);
  });

  test.each([
    "dev-secret-change-me",
    "super-secret-jwt-token-with-at-least-32-characters-long",
    "x".repeat(31),
  ])('[KEY-2] with the signing secret "%s" are refused and left as they are', async (jwtSecret) => {
    const keys = { ...(await loadKeys(folder)), jwtSecret };
    await writeFile(join(folder, "keys.json"), JSON.stringify(keys));
    await expect(loadKeys(folder)).rejects.toThrow(/published default or shorter than 32 bytes/);
    expect(JSON.parse(await readFile(join(folder, "keys.json"), "utf8"))).toEqual(keys);
  });

  test("[KEY-2] that cannot be read are not replaced", async () => {
    await writeFile(join(folder, "keys.json"), "{");
    await expect(loadKeys(folder)).rejects.toThrow("keys.json does not hold");
  });
});
