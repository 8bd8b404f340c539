import { expect, it } from "vitest";
import { commands } from "vitest/browser";
import { openText, text } from "../support/text";

const blocks = () => [...text.element().children].map((block) => block.textContent);

it.each([
  ["**b**", "strong"],
  ["*i*", "em"],
  ["~~s~~", "s"],
  ["`c`", "code"],
  ["### ", "h4"],
  ["- ", "ul"],
  ["1. ", "ol"],
  ["[] ", "ul[data-type=taskList]"],
  ["> ", "blockquote"],
  ["``` ", "pre"],
  ["---", "hr"],
])("[EDIT-22] undo restores %s as typed, and redo converts it again", async (typed, made) => {
  await openText();
  await commands.typeText(typed);
  await expect.poll(() => text.element().querySelector(made)).not.toBeNull();
  const converted = text.element().innerHTML;
  await commands.press("Control+z");
  expect(text.element().querySelector(made)).toBeNull();
  expect(blocks()[0]).toBe(typed);
  await commands.press("Control+Shift+z");
  expect(text.element().innerHTML).toBe(converted);
});
