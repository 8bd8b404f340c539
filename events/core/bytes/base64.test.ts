import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64, toBase64 } from "./base64";

test("base64 equals the platform's in both directions", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      expect(toBase64(bytes)).toBe(text);
      expect([...fromBase64(text)]).toEqual([...bytes]);
    }),
  );
});

test("base64 works for inputs longer than an engine's limit of arguments", () => {
  for (const length of [0x7fff, 0x8000, 0x8001, 1_000_000]) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 7919) & 255);
    const text = toBase64(bytes.subarray(1));
    expect(text === Buffer.from(bytes.subarray(1)).toString("base64")).toBe(true);
    expect(Buffer.compare(fromBase64(text), bytes.subarray(1))).toBe(0);
  }
});

test("text that is not base64 throws", () => {
  expect(() => fromBase64("a*b")).toThrow();
});
