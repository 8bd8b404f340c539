import { describe, expect, it } from "vitest";
import { addressFromInput, safeAddress } from "./safe-address";

describe("an address that may become a link", () => {
  it.each([
    "https://example.org/a?b#c",
    "HTTP://example.org",
    "mailto:ana@example.com",
    "/d/1",
    "#hours",
    "?at=3",
  ])("[EDIT-1] accepts %s", (address) => {
    expect(safeAddress(address)).toBe(address);
  });

  it.each([
    "javascript:alert(1)",
    " javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,<script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://example.org/1",
    "ftp://example.org",
    "//example.org",
    "/\\example.org",
    "\\\\example.org",
    "https://",
    "https://exa mple.org",
    "",
    null,
    ["javascript:alert(1)"],
    { toString: () => "javascript:alert(1)" },
    `https://example.org/${"a".repeat(4_000)}`,
  ])("[EDIT-1] refuses %j", (address) => {
    expect(safeAddress(address)).toBeNull();
  });

  it("[LIMIT-7] has at most 2048 letters", () => {
    const sized = (length: number) => "https://example.org/".padEnd(length, "a");
    expect([2_047, 2_048].map((length) => safeAddress(sized(length))?.length)).toEqual([
      2_047, 2_048,
    ]);
    expect(safeAddress(sized(2_049))).toBeNull();
  });

  it("[EDIT-1] completes a typed address", () => {
    expect(addressFromInput("example.org/hours")).toBe("https://example.org/hours");
    expect(addressFromInput(" ana@example.com ")).toBe("mailto:ana@example.com");
    expect(addressFromInput("javascript:alert(1)")).toBeNull();
    expect(addressFromInput("two words")).toBeNull();
  });
});
