type Numbers = Int32Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * Returns a copy of the typed array with room for at least `length` values, or the array itself if
 * it is long enough. New elements have the value `fill`.
 */
export function grown<T extends Numbers>(array: T, length: number, fill = 0): T {
  if (length <= array.length) return array;
  // Grows by a factor of four: untouched memory pages cost nothing, and copies stay rare.
  const size = Math.max(length, array.length * 4, 1024);
  // The constructor of a typed array creates the same type.
  const larger = new (array.constructor as new (size: number) => T)(size);
  larger.set(array);
  if (fill !== 0) larger.fill(fill, array.length);
  return larger;
}
