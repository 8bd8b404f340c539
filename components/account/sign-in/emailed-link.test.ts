import { expect, test } from "vitest";
import { emailedLink } from "./emailed-link";

const read = (path: string) => emailedLink(new URL(path, "http://localhost:3000"));

test("reads a token hash with its type, and marks recovery", () => {
  expect(read("/auth/confirm?token_hash=abc&type=recovery")).toEqual({
    link: { kind: "hash", tokenHash: "abc", type: "recovery" },
    recovery: true,
  });
});

test("reads a code from a hosted project’s own template", () => {
  expect(read("/auth/confirm?code=xyz")).toEqual({
    link: { kind: "code", code: "xyz" },
    recovery: false,
  });
});

test("reads tokens in the fragment only as a pair", () => {
  expect(read("/auth/confirm#access_token=a&refresh_token=b&type=magiclink").link).toEqual({
    kind: "tokens",
    accessToken: "a",
    refreshToken: "b",
    type: "magiclink",
  });
  expect(read("/auth/confirm#access_token=a").link).toBeNull();
});

test("an error in the address takes precedence", () => {
  expect(read("/auth/confirm?code=xyz#error=access_denied&error_description=expired").link).toEqual(
    { kind: "failed", reason: "expired" },
  );
});
