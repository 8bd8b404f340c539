type Numbers = Int32Array | Uint32Array | Uint16Array | Uint8Array;

/**
 * A copy of the typed array with room for at least `length` values, or the array itself; new
 * elements are `fill`.
 */
export function grown<T extends Numbers>(array: T, length: number, fill = 0): T {
  if (length <= array.length) return array;
  // Untouched pages cost no memory, and rare copies cost little time.
  const size = Math.max(length, array.length * 4, 1024);
  // A typed array's constructor creates its own type.
  const larger = new (array.constructor as new (size: number) => T)(size);
  larger.set(array);
  if (fill !== 0) larger.fill(fill, array.length);
  return larger;
}
