/** Takes one or two capital letters from a name: of the first word and of the last. */
export function initials(name: string): string {
  // What stands in brackets behind a name says something of it.
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
