import { afterAll, beforeAll, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signInAgain, signUp, visitor } from "@/tests/support/writers/people";
import { raw } from "@/tests/support/product/raw";

let stack: TestBackend;
beforeAll(async () => {
  stack = await testBackend({ TRUST_PROXY: "1" });
});
afterAll(() => stack.stop());

const userStatus = async (token: string) =>
  (
    await fetch(`${stack.url}/auth/v1/user`, {
      headers: { apikey: stack.keys.publishableKey, authorization: `Bearer ${token}` },
    })
  ).status;

test("[AUTH-20] a reused refresh token ends its own session alone", async () => {
  const ana = await signUp(stack, "Ana");
  const elsewhere = await signInAgain(stack, ana);
  const stolen = (await ana.client.auth.getSession()).data.session?.refresh_token ?? "";
  const renewed = await visitor(stack).auth.refreshSession({ refresh_token: stolen });
  const again = await visitor(stack).auth.refreshSession({
    refresh_token: renewed.data.session?.refresh_token ?? "",
  });
  const token = again.data.session?.access_token ?? "";
  expect(await userStatus(token)).toBe(200);
  // Later than two tabs could use the token at the same time.
  await stack.sql`update auth.refresh_tokens set updated_at = updated_at - interval '5 minutes',
    created_at = created_at - interval '5 minutes' where revoked`;
  const thief = await visitor(stack).auth.refreshSession({ refresh_token: stolen });
  expect(thief.error?.code).toBe("refresh_token_already_used");
  expect(await userStatus(token)).toBe(403);
  expect(await userStatus(await elsewhere.accessToken())).toBe(200);
});

test("[DOOR-62] answers behind https alone set Strict-Transport-Security", async () => {
  const ask = async (headers: Record<string, string>) =>
    (
      await raw(`${stack.url}/auth/v1/health`, {
        headers: { host: `localhost:${stack.port}`, ...headers },
      })
    ).headers["strict-transport-security"];
  expect(await ask({ "x-forwarded-proto": "https" })).toBe("max-age=31536000");
  expect(await ask({})).toBeUndefined();
  expect(await ask({ "x-forwarded-proto": "http" })).toBeUndefined();
});
