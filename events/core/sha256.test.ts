import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { payloadHash, toHex } from "@/events/log/hash";
import { digest, sha256 } from "./sha256";

afterEach(() => vi.unstubAllGlobals());

describe("sha256", () => {
  it("[VERIFY-8] is the standard’s for bytes of every length around its blocks", () => {
    for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 255);
      expect(toHex(sha256(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 300 }),
        (bytes) => toHex(sha256(bytes)) === createHash("sha256").update(bytes).digest("hex"),
      ),
    );
  });

  it("[VERIFY-8] serves where the browser hides its own engine", async () => {
    const salt = new Uint8Array(16);
    const before = await payloadHash(salt, "{}", null);
    vi.stubGlobal("crypto", {});
    expect(toHex(await digest(new Uint8Array([1])))).toBe(
      createHash("sha256")
        .update(new Uint8Array([1]))
        .digest("hex"),
    );
    expect(await payloadHash(salt, "{}", null)).toBe(before);
  });
});
