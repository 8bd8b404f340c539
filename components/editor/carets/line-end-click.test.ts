import { expect, it } from "vitest";
import { lastWord } from "./line-end-click";

it.each([
  ["One short line", "line"],
  ["It leaks. ", "leaks"],
  ["the carpenter’s", "carpenter’s"],
  ["in 2026!", "2026"],
  ["Łódź, żółć", "żółć"],
  ["…", ""],
  ["", ""],
])("[EDIT-63] the last word of “%s” is “%s”", (line, word) => {
  const [from, to] = lastWord(line);
  expect(line.slice(from, to)).toBe(word);
});
