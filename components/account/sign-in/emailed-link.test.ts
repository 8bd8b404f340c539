import { expect, test } from "vitest";
import { emailedLink } from "./emailed-link";

const read = (path: string) => emailedLink(new URL(path, "http://localhost:3000"));

test("a token hash names its type, and recovery leads to a new password", () => {
  expect(read("/auth/confirm?token_hash=abc&type=recovery")).toEqual({
    link: { kind: "hash", tokenHash: "abc", type: "recovery" },
    recovery: true,
  });
});

test("a code is a hosted project answering its own template", () => {
  expect(read("/auth/confirm?code=xyz")).toEqual({
    link: { kind: "code", code: "xyz" },
    recovery: false,
  });
});

test("tokens behind the hash sign count only in pairs", () => {
  expect(read("/auth/confirm#access_token=a&refresh_token=b&type=magiclink").link).toEqual({
    kind: "tokens",
    accessToken: "a",
    refreshToken: "b",
    type: "magiclink",
  });
  expect(read("/auth/confirm#access_token=a").link).toBeNull();
});

test("an error wins over everything else in the address", () => {
  expect(read("/auth/confirm?code=xyz#error=access_denied&error_description=expired").link).toEqual(
    { kind: "failed", reason: "expired" },
  );
});
