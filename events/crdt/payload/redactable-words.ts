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

/** Attributes that hold an image's descriptions or a file's name. */
const wordKeys: ReadonlySet<string> = new Set(["alt", "caption", "name"]);

/**
 * Returns the words that a redaction of this event would destroy, in a readable form, including
 * link addresses and image descriptions. Empty if the event has none.
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

/** Returns the texts of a body that a redaction empties, each with its key. */
export function bodyWords(body: Ruled["body"]): { key: string; words: string }[] {
  const fields = bodyFields(body);
  return redactableKeys.flatMap((key) => {
    const words = fields[key];
    return typeof words === "string" ? [{ key, words }] : [];
  });
}

/** Returns the image descriptions and file names that edits put into the text, each once. */
export function attributeWords(edits: readonly UpdateParts[]): string[] {
  const words = attributeTexts(edits).filter(({ key, text }) =>
    key === null ? !isDocumentId(text) && !isAlignment(text) : wordKeys.has(key),
  );
  return [...new Set(words.map(({ text }) => text))];
}

function written(update: Uint8Array, start: number): string {
  try {
    const edits = decodeEdits(readCopyIn(update)?.payload ?? update, start);
    // Every URL has a scheme, so the scheme is not private.
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
