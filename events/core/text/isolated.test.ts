import { describe, expect, it } from "vitest";
import { isolated } from "./isolated";

describe("[A11Y-4] a name in a sentence", () => {
  it.each([
    ["Ana", "Ana"],
    ["Zoë O’Neil (2)", "Zoë O’Neil (2)"],
    ["山田", "山田"],
    ["👩\u200d🚀", "👩\u200d🚀"],
    ["ליאת", "\u2068ליאת\u2069"],
    ["عمر 3", "\u2068عمر 3\u2069"],
    ["𞤀𞤣", "\u2068𞤀𞤣\u2069"],
    // Names with direction marks, or with a closing mark that has no opening one.
    ["\u202eanA", "\u2068anA\u2069"],
    ["Ana\u2069", "\u2068Ana\u2069"],
    ["\u2067\u2067Ana", "\u2068Ana\u2069"],
  ])("%j stands as %j", (name, stands) => {
    expect(isolated(name)).toBe(stands);
  });
});
