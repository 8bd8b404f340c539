import { describe, expect, test } from "vitest";
import { nextPath } from "./next-path";

describe("[ACC-9] the path after signing in", () => {
  test.each(["/", "/d/1?at=4#block-2", "/w/a/members", "/reset-password"])(
    "keeps the path %s",
    (path) => {
      expect(nextPath(path)).toBe(path);
    },
  );

  test.each([
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "evil",
    "",
    "/\t/evil.example",
    "/\r\nSet-Cookie: a=b",
    "/.//evil.example",
    "/a/..//evil.example",
    "/sign-in?next=/sign-in",
    null,
    undefined,
    ["/a"],
  ])("stays on the site for %j", (path) => {
    expect(nextPath(path)).toBe("/");
  });

  test("accepts an absolute address only of its own origin", () => {
    expect(nextPath("http://localhost:3000/d/1", "http://localhost:3000")).toBe("/d/1");
    expect(nextPath("http://localhost:3000.evil.example/d/1", "http://localhost:3000")).toBe("/");
    expect(nextPath("http://localhost:3000", "http://localhost:3000")).toBe("/");
  });

  test("unwraps the address of the confirmation page", () => {
    expect(
      nextPath("http://a.example/auth/confirm?next=%2Freset-password", "http://a.example"),
    ).toBe("/reset-password");
    expect(nextPath("/auth/confirm?next=%2F%2Fevil.example")).toBe("/");
  });

  test("leaves escaped slashes escaped, so that they never become a host", () => {
    expect(nextPath("/%2f%2fevil.example")).toBe("/%2f%2fevil.example");
  });
});
