/**
 * Tells whether a REST address asks for rows within rows within rows: each level multiplies the
 * work of the one before it, so that one short address could keep the database busy for hours. Of a
 * `select` that is given several times each one is read.
 */
export function nestsEmbeds(address: URLSearchParams): boolean {
  return address.getAll("select").some((select) => depthOf(select) > 1);
}

/** How deep the parentheses of a `select` go, at the most. */
function depthOf(select: string): number {
  // A name in quotes and a key of JSON may hold parentheses themselves, and readers differ in where
  // such a text ends: beside one, nothing is taken to close.
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
