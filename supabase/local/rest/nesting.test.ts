import { expect, it } from "vitest";
import { nestsDeeperThan } from "./nesting";

const nests = (most: number, text: string) => nestsDeeperThan(most, Buffer.from(text));

it("[API-91] counts the levels of objects and arrays, and none inside a string", () => {
  expect(nests(2, '{"a":[1]}')).toBe(false);
  expect(nests(1, '{"a":[1]}')).toBe(true);
  expect(nests(1, '["[[[{{{"]')).toBe(false);
  expect(nests(1, '["\\"[[", "\\\\"]')).toBe(false);
  expect(nests(1, '["\\\\",[]]')).toBe(true);
  expect(nests(1, "[[")).toBe(true);
  expect(nests(1, "[][][]")).toBe(false);
});

it("[API-91] reads a megabyte of brackets", () => {
  expect(nests(32, "[".repeat(1_000_000))).toBe(true);
  expect(nests(1_000_000, "[".repeat(1_000_000))).toBe(false);
});
