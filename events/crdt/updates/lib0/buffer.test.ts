import {
  copyUint8Array as copyOfLib0,
  encodeAny as encodeOfLib0,
  toBase64 as base64OfLib0,
} from "lib0/buffer";
import { expect, test } from "vitest";
import { copyUint8Array, encodeAny, toBase64 } from "./buffer";

const values = [
  null,
  true,
  7,
  -0.5,
  "Ünïcode ✍",
  [1, "two", null],
  { href: "https://example.com/", nested: { deep: [false] } },
];

test.each(values)("%j is encoded as lib0 encodes it, and so is its base64", (value) => {
  expect([...encodeAny(value)]).toEqual([...encodeOfLib0(value)]);
  expect(toBase64(encodeAny(value))).toBe(base64OfLib0(encodeOfLib0(value)));
});

test("a copy of a part holds that part alone, in a buffer of its own", () => {
  const part = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
  expect(copyUint8Array(part)).toEqual(copyOfLib0(part));
  expect(copyUint8Array(part).buffer).not.toBe(part.buffer);
});
