import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { systemRandom } from "../clock";
import { uuidV5 } from "./uuid";

const dns = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

/** Derives a UUID as in RFC 9562, section 5.5, with Node's own SHA-1. */
function derived(namespace: string, name: string): string {
  const digest = createHash("sha1")
    .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
    .update(name)
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  return digest
    .toString("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

test("a version 5 UUID equals the published example", () => {
  // RFC 9562, appendix A.4: the DNS namespace and www.example.com.
  expect(uuidV5(dns, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});

test("a version 5 UUID equals the platform's SHA-1 for any name and namespace", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.string({ unit: "binary", maxLength: 200 }),
      (bytes, name) => {
        const namespace = Buffer.from(bytes).toString("hex");
        expect(uuidV5(namespace, name)).toBe(derived(namespace, name));
      },
    ),
    { numRuns: 300 },
  );
});

test("half a surrogate pair in a name becomes U+FFFD", () => {
  expect(uuidV5(dns, "a\ud800b")).toBe(derived(dns, "a\ufffdb"));
});

test("browsers derive the same UUID as the server", async () => {
  // The library has its own SHA-1, because insecure origins have no `crypto.subtle`.
  const file = new URL("../../../node_modules/uuid/dist/v5.js", import.meta.url).href;
  const { default: v5 }: { default: (name: Uint8Array, namespace: string) => string } =
    await import(/* @vite-ignore */ file);
  for (let length = 0; length <= 200; length += 1) {
    const name = "ü".repeat(length);
    expect(v5(new TextEncoder().encode(name), dns)).toBe(uuidV5(dns, name));
  }
});

test("a namespace that is not a UUID throws", () => {
  expect(() => uuidV5("ana", "x")).toThrow(/Not a UUID/);
});

test("a random UUID is of version 4, and does not call a replaced crypto.randomUUID", () => {
  const own = Object.getOwnPropertyDescriptor(crypto, "randomUUID");
  Object.defineProperty(crypto, "randomUUID", { value: systemRandom.uuid, configurable: true });
  try {
    const made = Array.from({ length: 100 }, () => systemRandom.uuid());
    expect(new Set(made).size).toBe(100);
    for (const id of made)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  } finally {
    if (own) Object.defineProperty(crypto, "randomUUID", own);
    else Reflect.deleteProperty(crypto, "randomUUID");
  }
});
