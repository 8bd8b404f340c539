import { expect, it } from "vitest";
import { writesOnFor } from "./use-access-at-pause";

it("[WRITE-51] a writer keeps their rights until they pause", () => {
  expect(writesOnFor(-Infinity, 0)).toBe(0);
  expect(writesOnFor(1_000, 1_000)).toBeGreaterThan(500);
  expect(writesOnFor(1_000, 1_000 + writesOnFor(1_000, 1_000))).toBe(0);
  expect(writesOnFor(1_000, 90_000)).toBe(0);
});
