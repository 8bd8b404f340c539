/** The names of the twelve colours of people; a colour is its index here and in tokens.css. */
export const palette = [
  "Blue",
  "Violet",
  "Fuchsia",
  "Rose",
  "Orange",
  "Amber",
  "Lime",
  "Emerald",
  "Teal",
  "Cyan",
  "Slate",
  "Brown",
] as const;

/** Names the class that gives an element a person's colour as `--person`; an index outside of the palette wraps. */
export function personClass(color: number): string {
  return `p${((Math.trunc(color) % 12) + 12) % 12}`;
}
