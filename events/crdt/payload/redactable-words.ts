import { redactableKeys } from "@/events/core/body-shapes";
import { readCopyIn } from "./copy-in-payload";
import { bodyFields } from "@/events/core/envelope";
import type { Ruled } from "@/events/core/envelope";
import { isDocumentId } from "@/events/content/document-address";
import { isAlignment } from "@/events/content/file-attributes";
import { attributeTexts } from "@/events/crdt/updates/attribute-texts";
import { insertedText, markedTexts } from "@/events/crdt/updates/inserted-text";
import { decodeEdits, PayloadError } from "./payload";
import { readUpdate, UpdateError } from "@/events/crdt/updates/yjs-update";
import type { UpdateParts } from "@/events/crdt/updates/yjs-update";

/** Keys with an image's descriptions or a file's name. */
const wordKeys: ReadonlySet<string> = new Set(["alt", "caption", "name"]);

/**
 * The words that a redaction of this event would destroy, for people to read, including link
 * addresses and image descriptions; empty if there are none left.
 */
export function redactableWords(
  row: Pick<Ruled, "body" | "update" | "clientTime" | "redactedBy">,
): string {
  if (row.redactedBy !== undefined) return "";
  const { body, update } = row;
  const texts = bodyWords(body).map(({ words }) => words);
  return [...texts, update ? written(update, Date.parse(row.clientTime)) : ""]
    .filter((words) => words !== "")
    .join("\n");
}

/** The texts of a body that a redaction empties, each with its key. */
export function bodyWords(body: Ruled["body"]): { key: string; words: string }[] {
  const fields = bodyFields(body);
  return redactableKeys.flatMap((key) => {
    const words = fields[key];
    return typeof words === "string" ? [{ key, words }] : [];
  });
}

/** Image descriptions and file names that edits put into the text, each once. */
export function attributeWords(edits: readonly UpdateParts[]): string[] {
  const words = attributeTexts(edits).filter(({ key, text }) =>
    key === null ? !isDocumentId(text) && !isAlignment(text) : wordKeys.has(key),
  );
  return [...new Set(words.map(({ text }) => text))];
}

function written(update: Uint8Array, start: number): string {
  try {
    const edits = decodeEdits(readCopyIn(update)?.payload ?? update, start);
    // A URL's scheme is not private, and every text with a URL has it.
    const addresses = edits
      .flatMap((edit) => markedTexts(edit.update))
      .map((text) => text.replace(/^[a-z]+:\/*/i, ""));
    return [
      edits.map((edit) => insertedText(edit.update)).join(""),
      ...attributeWords(edits.map((edit) => readUpdate(edit.update))),
      ...new Set(addresses),
    ]
      .filter((words) => words !== "")
      .join("\n");
  } catch (error) {
    if (error instanceof PayloadError || error instanceof UpdateError) return "";
    throw error;
  }
}
