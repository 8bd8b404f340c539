import { expect, test } from "vitest";
import { initials } from "./initials";

test("initials come from the first and the last word, whole letters only", () => {
  expect(initials("Ana Marić")).toBe("AM");
  expect(initials("  ben ")).toBe("B");
  expect(initials("Anne-Marie van der Berg")).toBe("AB");
  expect(initials("𝒜da Lovelace")).toBe("𝒜L");
  expect(initials("")).toBe("?");
});
