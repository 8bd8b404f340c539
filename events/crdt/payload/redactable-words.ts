import { redactableKeys } from "@/events/core/body-shapes";
import { readCopyIn } from "./copy-in-payload";
import { bodyFields, type Ruled } from "@/events/core/envelope";
import { insertedText, markedTexts } from "@/events/crdt/updates/inserted-text";
import { decodeEdits, PayloadError } from "./payload";
import { UpdateError } from "@/events/crdt/updates/yjs-update";

/**
 * The words that a redaction of this event would destroy, addresses of links among them, for people
 * to read; empty where it has none, or none any more.
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

function written(update: Uint8Array, start: number): string {
  try {
    const edits = decodeEdits(readCopyIn(update)?.payload ?? update, start);
    // How an address begins is nobody's word, and in every other text with one.
    const addresses = edits
      .flatMap((edit) => markedTexts(edit.update))
      .map((text) => text.replace(/^[a-z]+:\/*/i, ""));
    return [edits.map((edit) => insertedText(edit.update)).join(""), ...new Set(addresses)]
      .filter((words) => words !== "")
      .join("\n");
  } catch (error) {
    if (error instanceof PayloadError || error instanceof UpdateError) return "";
    throw error;
  }
}
