import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sha1, uuidV5 } from "./uuid";

test("a version 5 UUID equals the published example", () => {
  // RFC 9562, appendix A.4: the DNS namespace and www.example.com.
  expect(uuidV5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com")).toBe(
    "2ed6657d-e927-568b-95e1-2665a8aea6a2",
  );
});

test("SHA-1 agrees with the platform at every length around a block", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(Buffer.from(sha1(bytes)).toString("hex")).toBe(
        createHash("sha1").update(bytes).digest("hex"),
      );
    }),
    { numRuns: 300 },
  );
});

test("a namespace that is no UUID is a fault", () => {
  expect(() => uuidV5("ana", "x")).toThrow(/Not a UUID/);
});
