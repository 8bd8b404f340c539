import { AuthClient } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { openLink } from "./opened-link";

const user = { id: "ben", email: "ben@example.com", aud: "authenticated", user_metadata: {} };
const session = { access_token: "a.b.c", refresh_token: "r", expires_in: 600, user };

/** Creates a client whose service answers each path as given. */
function clientOf(answers: Record<string, Response>) {
  const auth = new AuthClient({
    url: "https://project.example/auth/v1",
    persistSession: false,
    autoRefreshToken: false,
    fetch: async (input) => {
      const path = new URL(String(input)).pathname.replace("/auth/v1/", "");
      return (
        answers[path]?.clone() ??
        Response.json({ error_code: "otp_expired", msg: "no" }, { status: 403 })
      );
    },
  });
  return { client: { auth } };
}

test("[ACC-60] a hash link yields its account and tokens", async () => {
  const { client } = clientOf({ verify: Response.json(session) });
  expect(await openLink({ kind: "hash", tokenHash: "h", type: "recovery" }, client)).toMatchObject({
    ok: true,
    account: { userId: "ben", email: "ben@example.com" },
    link: { kind: "tokens", accessToken: "a.b.c", refreshToken: "r", type: "recovery" },
  });
});

test("[ACC-60] tokens in an address yield the account that the service names for them", async () => {
  const { client } = clientOf({ user: Response.json(user) });
  const link = { kind: "tokens", accessToken: "a.b.c", refreshToken: "r", type: "email" } as const;
  expect(await openLink(link, client)).toMatchObject({
    ok: true,
    link,
    account: { userId: "ben" },
  });
});

test("[ACC-60] an invalid or spent link opens nothing", async () => {
  const { client } = clientOf({});
  expect(await openLink({ kind: "hash", tokenHash: "h", type: "email" }, client)).toEqual({
    ok: false,
    refusal: { name: "wrong-code" },
  });
  expect(await openLink({ kind: "failed", reason: "x" }, client)).toMatchObject({ ok: false });
});
