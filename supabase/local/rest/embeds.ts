/**
 * Whether a REST query nests embedded resources more than one level deep. Each level multiplies the
 * work, so a short URL could keep the database busy for hours. If `select` is repeated, each
 * `select` is checked.
 */
export function nestsEmbeds(address: URLSearchParams): boolean {
  return address.getAll("select").some((select) => depthOf(select) > 1);
}

/** Returns the maximum depth of parentheses in a `select`. */
function depthOf(select: string): number {
  // Quoted names and JSON keys may contain parentheses, and parsers disagree on where such names
  // end. If there is such a name, no closing parenthesis counts.
  const closes = !/"|->/.test(select);
  let depth = 0;
  let deepest = 0;
  for (const sign of select) {
    if (sign === "(") depth += 1;
    if (sign === ")" && closes) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
