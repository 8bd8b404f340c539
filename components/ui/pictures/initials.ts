/** Returns the initials of a name, from its first and last word. */
export function initials(name: string): string {
  // Words in parentheses are additions to a name and have no initials.
  const words = name
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== "" && !word.startsWith("("));
  const ends = words.length > 1 ? [words[0], words[words.length - 1]] : words;
  return (
    ends
      .map((word) => Array.from(word ?? "")[0] ?? "")
      .join("")
      .toLocaleUpperCase() || "?"
  );
}
