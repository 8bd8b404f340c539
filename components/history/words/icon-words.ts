/** A change of a document's icon as a predicate; null removes the icon. */
export function iconWords(emoji: string | null | undefined): string {
  return emoji ? `set the icon to ${emoji}` : "removed the icon";
}
