/** The names of the twelve colours of people; a colour is its index here and in tokens.css. */
export const palette = [
  'Blue', 'Violet', 'Fuchsia', 'Rose', 'Orange', 'Amber', 'Lime', 'Emerald', 'Teal', 'Cyan', 'Slate', 'Brown',
] as const

/** The order in which colours are given out, so that neighbours differ in hue and in lightness. */
export const paletteOrder = [8, 0, 5, 6, 3, 9, 10, 1, 11, 7, 2, 4] as const

/** Names the class that gives an element a person's colour as `--person`; an index outside of the palette wraps. */
export function personClass(color: number): string {
  return `p${((Math.trunc(color) % 12) + 12) % 12}`
}
