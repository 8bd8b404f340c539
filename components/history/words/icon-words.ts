/** What somebody did with a document's icon, as it follows their name; null takes it away. */
export function iconWords(emoji: string | null | undefined): string {
  return emoji ? `set the icon to ${emoji}` : "removed the icon";
}
