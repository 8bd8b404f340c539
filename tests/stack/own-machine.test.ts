import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoEmails, demoPassword } from "@/supabase/demo-people";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signUp, visitor } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";

let own: TestBackend;
let published: TestBackend;
beforeAll(async () => {
  own = await testBackend();
  published = await testBackend({ SITE_URL: "https://docs.example.org" });
});
afterAll(async () => {
  await own.stop();
  await published.stop();
});

const addresses = [
  "/mail/messages.json",
  "/mail/messages.json?to=ana@example.com",
  "/auth/v1/../../mail/messages.json",
  "/metrics",
  "/.well-known/palimpsest.json",
];
const read = async (stack: TestBackend, path: string, headers: Record<string, string> = {}) => {
  const { status, text } = await raw(`${stack.url}${path}`, {
    headers: { host: `localhost:${stack.port}`, ...headers },
  });
  return { status, text };
};

describe("[DOOR-60] an address for this machine alone", () => {
  test("answers a request from this machine", async () => {
    for (const path of addresses) expect((await read(own, path)).status, path).toBe(200);
  });

  test.each(addresses)("%s refuses a proxied request", async (path) => {
    const ana = await signUp(own, "Ana");
    await visitor(own).auth.resetPasswordForEmail(ana.email);
    for (const headers of [
      { "x-forwarded-for": "127.0.0.1" },
      { "x-forwarded-for": "203.0.113.9, 127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { via: "1.1 caddy" },
      { "x-real-ip": "127.0.0.1" },
    ]) {
      const { status, text } = await read(own, path, headers);
      expect(status, JSON.stringify(headers)).toBeGreaterThanOrEqual(403);
      expect(text).not.toContain("token_hash");
      expect(text).not.toContain(String(process.pid));
    }
  });

  test("refuses everybody on a published installation", async () => {
    for (const path of addresses)
      expect((await read(published, path)).status, path).toBeGreaterThanOrEqual(403);
  });
});

test("[DOOR-61] the demo’s public passwords fail where the demo is off", async () => {
  const client = visitor(own);
  await client.auth.signUp({ email: demoEmails.ana, password: demoPassword });
  const signIn = (password: string) =>
    visitor(own).auth.signInWithPassword({ email: demoEmails.ana, password });
  expect((await signIn(demoPassword)).error?.code).toBe("invalid_credentials");
  expect((await client.auth.updateUser({ password: "a password of her own" })).error).toBeNull();
  expect((await signIn("a password of her own")).error).toBeNull();
});
