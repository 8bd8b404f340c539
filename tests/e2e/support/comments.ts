import type { Locator, Page } from "playwright";
import { text } from "./person";

/** The comments beside the text. */
export const comments = (page: Page) => page.getByRole("complementary", { name: "Comments" });

/** The thread on these words. */
export const thread = (page: Page, words: string) =>
  page.getByRole("article", { name: `Comment thread on “${words}”` });

/** The words of the text that have comments. */
export const marked = (page: Page) => text(page).locator("[data-passage]");

/** Returns the vertical distance between a note's first line and its words, in pixels. */
export async function distance(words: Locator, note: Locator): Promise<number> {
  const [one, other] = await Promise.all([words.first().boundingBox(), note.boundingBox()]);
  return one && other ? Math.abs(one.y - other.y) : Number.NaN;
}
