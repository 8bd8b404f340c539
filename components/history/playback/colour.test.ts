import { expect, it } from "vitest";
import { nextColour } from "./colour";

it("[HISTORY-32] the key cycles through the colourings", () => {
  expect(nextColour("session")).toBe("all");
  expect(nextColour("all")).toBe("off");
  expect(nextColour("off")).toBe("session");
});
