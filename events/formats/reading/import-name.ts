import { firstCodePoints } from "@/events/core/text/code-points";

const ending = /\.(md|markdown|html?|docx|txt|zip)$/i;
/** The suffix that Notion adds to every name. */
const notionId = /[ _-][0-9a-f]{32}$/i;
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

const spaced = (name: string) => name.replace(unseen, " ").replace(/\s+/g, " ").trim();

/** Returns a valid document title for any name. */
export function cleanTitle(name: string): string {
  return firstCodePoints(spaced(name), 290);
}

/** Whether a title holds all words of a name. */
export const isWholeTitle = (name: string) => cleanTitle(name) === spaced(name);

/** Returns the title for a file's or folder's name. */
export function titleOfName(name: string): string {
  return cleanTitle(name.replace(ending, "").replace(notionId, ""));
}
