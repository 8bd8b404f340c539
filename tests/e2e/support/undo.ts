import { expect } from "vitest";
import { newDocument, text, writable } from "./person";
import type { Person } from "./person";

/** Returns the blocks of the text on a person's page, without the names at carets. */
export const paragraphs = (who: Person) =>
  text(who.page).evaluate((element) => {
    const copy = element.cloneNode(true);
    if (copy instanceof Element)
      for (const caret of copy.querySelectorAll(".caret")) caret.remove();
    return [...copy.childNodes].map((block) => block.textContent);
  });

/** Returns the text on a person's page as HTML. */
export const html = (who: Person) => text(who.page).evaluate((element) => element.innerHTML);

/** Presses a key `times` times. */
export const keys = async (who: Person, key: string, times = 1) => {
  for (let time = 0; time < times; time += 1) await who.page.keyboard.press(key);
};

/** Creates a document, places the caret in its text, and returns the path. */
export async function begun(who: Person): Promise<string> {
  const path = await newDocument(who, "Undone");
  await writable(who.page).click();
  return path;
}

/** Types text that is converted. Undo restores the typed text, and redo converts it again. */
export async function undoAndRedo(who: Person, typed: string, made: string) {
  await who.page.keyboard.type(typed);
  await text(who.page).locator(made).first().waitFor({ state: "attached" });
  const converted = await html(who);
  await keys(who, "Control+z");
  expect(await text(who.page).locator(made).count()).toBe(0);
  expect((await paragraphs(who))[0]).toBe(typed);
  await keys(who, "Control+Shift+z");
  expect(await html(who)).toBe(converted);
}
