import { expect, it } from "vitest";
import { missingWords } from "./missing-words";

it("[FILE-30] calls a missing image unavailable after a while, no longer on its way", () => {
  expect(missingWords(2_000, true)).toBe("This image is on its way.");
  expect(missingWords(16_000, true)).toBe("This image is on its way.");
  expect(missingWords(32_000, true)).toContain("isn’t available");
  expect(missingWords(32_000, false)).toContain("back online");
});
