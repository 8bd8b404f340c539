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

/** The class that sets `--person` to a person's colour; an index outside the palette wraps. */
export function personClass(color: number): string {
  return `p${((Math.trunc(color) % 12) + 12) % 12}`;
}
