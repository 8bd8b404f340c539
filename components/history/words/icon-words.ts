/** Describes a change of a document's icon as a predicate. Null removes the icon. */
export function iconWords(emoji: string | null | undefined): string {
  return emoji ? `set the icon to ${emoji}` : "removed the icon";
}
