import fc from "fast-check";
import { expect, it } from "vitest";
import { firstCodePoints } from "./code-points";

it("a text is cut between code points, never inside one [LOG-9]", () => {
  expect(firstCodePoints("a𝄞b", 2)).toBe("a𝄞");
  expect(firstCodePoints("a𝄞b", 9)).toBe("a𝄞b");
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.nat(12), (text, most) => {
      expect(firstCodePoints(text, most)).toBe([...text].slice(0, most).join(""));
    }),
  );
});
