import { createClient } from "@supabase/supabase-js";
import { expect, test, vi } from "vitest";
import { authSentence } from "./auth";
import type { AuthChange } from "./auth";
import { authRefusal, supabaseAuth } from "./supabase-auth";
import { realtime } from "@/supabase/plain-clients";

const error = (fields: object) => ({
  name: "AuthApiError",
  code: undefined,
  status: 400,
  message: "",
  ...fields,
});

test("[ACC-8] errors of the service become named refusals", () => {
  expect(authRefusal(error({ code: "invalid_credentials" })).name).toBe("wrong-credentials");
  expect(authRefusal(error({ code: "user_already_exists", status: 422 })).name).toBe("not-created");
  expect(authRefusal(error({ code: "otp_expired", status: 403 })).name).toBe("wrong-code");
  expect(authRefusal(error({ name: "AuthRetryableFetchError", status: 0 })).name).toBe(
    "unreachable",
  );
  expect(authRefusal(error({ code: "unexpected_failure", status: 500 })).name).toBe("unreachable");
});

test("[ACC-8] a rate limit states the wait if the service does", () => {
  const limited = authRefusal(
    error({
      status: 429,
      message: "For security purposes, you can only request this after 40 seconds.",
    }),
  );
  expect(authSentence(limited)).toBe("Too many tries. Try again in 40 seconds.");
  expect(authSentence(authRefusal(error({ status: 429 })))).toBe(
    "Too many tries. Try again in a minute.",
  );
});

test("[ACC-8] no sentence reveals whether an address has an account", () => {
  for (const name of ["wrong-credentials", "not-created", "wrong-code"] as const) {
    expect(authSentence({ name })).not.toMatch(
      /already (exists|registered)|no account|not found|unknown/i,
    );
  }
});

test("[ACC-19] a page that opens without the auth service finds the stored session", async () => {
  const body = { session_id: "s", iat: 1_800_000_000, exp: 1_800_000_600 };
  const stored = {
    access_token: `e30.${Buffer.from(JSON.stringify(body)).toString("base64url")}.`,
    expires_at: 1_800_000_600,
    user: { id: "ana", email: "ana@example.com", user_metadata: { name: "Ana" } },
  };
  for (const held of [stored, null]) {
    const { auth } = createClient("http://127.0.0.1:9", "key", {
      auth: { persistSession: false },
      realtime,
    });
    const changes: AuthChange[] = [];
    const port = supabaseAuth({ auth }, { origin: "", stored: async () => held });
    port.watch((change) => changes.push(change));
    await vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: 40_000 });
    const [change] = changes;
    expect(change?.name === "found" && change.session?.userId).toBe(held?.user.id);
  }
});

test("[ACC-50] a session that became another person's is reported once, however often it is doubted", async () => {
  const sessionOf = (user: string) => ({
    access_token: `e30.${Buffer.from("{}").toString("base64url")}.`,
    expires_at: 1_800_000_600,
    user: { id: user, email: "", user_metadata: {} },
  });
  let held = sessionOf("ana");
  let doubt = () => {};
  const { auth } = createClient("http://127.0.0.1:9", "key", {
    auth: { persistSession: false },
    realtime,
  });
  const port = supabaseAuth(
    { auth },
    {
      origin: "",
      stored: async () => held,
      onDoubt(listener) {
        doubt = listener;
        return () => undefined;
      },
    },
  );
  const found: (string | undefined)[] = [];
  // The listener sends a request for the reported person. The request is refused under another
  // person's session.
  port.watch((change) => {
    if (!("session" in change)) return;
    found.push(change.session?.userId);
    if (found.length < 100) doubt();
  });
  await vi.waitFor(() => expect(found).toEqual(["ana"]));
  held = sessionOf("ben");
  for (const _ of ["append", "read", "join"]) doubt();
  await vi.waitFor(() => expect(found).toContain("ben"));
  await new Promise((settle) => setImmediate(settle));
  expect(found).toEqual(["ana", "ben"]);
});
