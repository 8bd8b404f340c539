import { expect, test } from "vitest";
import { authSentence } from "./auth";
import { authRefusal } from "./supabase-auth";

const error = (fields: object) => ({
  name: "AuthApiError",
  code: undefined,
  status: 400,
  message: "",
  ...fields,
});

test("[ACC-8] what the service says becomes what a person can do", () => {
  expect(authRefusal(error({ code: "invalid_credentials" })).name).toBe("wrong-credentials");
  expect(authRefusal(error({ code: "user_already_exists", status: 422 })).name).toBe("not-created");
  expect(authRefusal(error({ code: "otp_expired", status: 403 })).name).toBe("wrong-code");
  expect(authRefusal(error({ name: "AuthRetryableFetchError", status: 0 })).name).toBe(
    "unreachable",
  );
  expect(authRefusal(error({ code: "unexpected_failure", status: 500 })).name).toBe("unreachable");
});

test("[ACC-8] a limit says how long to wait, where the service does", () => {
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

test("[ACC-8] no sentence tells whether an address has an account", () => {
  for (const name of ["wrong-credentials", "not-created", "wrong-code"] as const) {
    expect(authSentence({ name })).not.toMatch(
      /already (exists|registered)|no account|not found|unknown/i,
    );
  }
});
