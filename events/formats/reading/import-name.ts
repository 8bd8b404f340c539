import { firstCodePoints } from "@/events/core/text/code-points";

const ending = /\.(md|markdown|html?|docx|txt|zip)$/i;
/** What Notion puts behind each name, and Google Docs before one that is there twice. */
const notionId = /[ _-][0-9a-f]{32}$/i;
const unseen = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

const spaced = (name: string) => name.replace(unseen, " ").replace(/\s+/g, " ").trim();

/** A title as a document may have it, from whatever somebody called something. */
export function cleanTitle(name: string): string {
  return firstCodePoints(spaced(name), 290);
}

/** Whether a title holds all words of a name. */
export const isWholeTitle = (name: string) => cleanTitle(name) === spaced(name);

/** The title that the name of a file or a folder gives. */
export function titleOfName(name: string): string {
  return cleanTitle(name.replace(ending, "").replace(notionId, ""));
}
