/** The names of the twelve colours of people. A colour is its index here and in tokens.css. */
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

/** Returns the class that sets `--person` to a person's colour. Other indices wrap around. */
export function personClass(color: number): string {
  return `p${((Math.trunc(color) % 12) + 12) % 12}`;
}
