import { createHash } from "node:crypto";
import { bytesToHex } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { payloadHash } from "@/events/log/hash";
import { digest } from "./sha256";

afterEach(() => vi.unstubAllGlobals());

const standard = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe.each(["has an engine of its own", "hides its own engine"])(
  "where the browser %s",
  (how) => {
    const hide = () => {
      if (how === "hides its own engine") vi.stubGlobal("crypto", {});
    };

    it("[VERIFY-8] a digest equals the standard’s for every length around its blocks", async () => {
      hide();
      for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000]) {
        const bytes = Uint8Array.from({ length }, (_, index) => (index * 31) & 255);
        expect(bytesToHex(await digest(bytes))).toBe(standard(bytes));
      }
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (drawn) => {
          const bytes = Uint8Array.from(drawn);
          expect(bytesToHex(await digest(bytes))).toBe(standard(bytes));
        }),
      );
    });

    it("[VERIFY-8] a payload has the same hash in every browser", async () => {
      const salt = new Uint8Array(16);
      const before = await payloadHash(salt, "{}", null);
      hide();
      expect(await payloadHash(salt, "{}", null)).toBe(before);
    });
  },
);
