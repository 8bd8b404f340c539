import { expect, it } from "vitest";
import { nextColour } from "./colour";

it("[HISTORY-32] the key steps through what can be coloured, and begins again", () => {
  expect(nextColour("session")).toBe("all");
  expect(nextColour("all")).toBe("off");
  expect(nextColour("off")).toBe("session");
});
