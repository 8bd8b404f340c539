import { expect, it } from "vitest";
import { asTitle, movedCaret } from "./title-words";

it.each([
  ["|Minutes", "|Draft Minutes"],
  ["Minutes|", "Draft Minutes|"],
  ["Minutes, M|", "Minutes of Ben, M|"],
  ["Min|utes", "Min|utes, May"],
  ["Old pl|an", "New scheme|"],
  ["|", "|Roadmap"],
  ["Budget|", "|"],
])("[TITLE-3] moves a caret %s to %s", (before, after) => {
  const at = (text: string) => text.replace("|", "");
  expect(movedCaret(at(before), at(after), before.indexOf("|"))).toBe(after.indexOf("|"));
});

it("[EDIT-76] a title has U+FFFD for half of a letter, as the log stores it", () => {
  expect(asTitle("Min\ud83dutes 😀")).toBe("Min\ufffdutes 😀");
});
