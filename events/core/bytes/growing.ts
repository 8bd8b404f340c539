type Numbers = Int32Array | Uint32Array | Uint16Array | Uint8Array;

/** The same typed array with room for at least `length` values; what is new is filled with `fill`. */
export function grown<T extends Numbers>(array: T, length: number, fill = 0): T {
  if (length <= array.length) return array;
  // What is not yet written to takes no memory yet, and what is copied seldom takes little time.
  const size = Math.max(length, array.length * 4, 1024);
  // A typed array's constructor makes its own kind.
  const larger = new (array.constructor as new (size: number) => T)(size);
  larger.set(array);
  if (fill !== 0) larger.fill(fill, array.length);
  return larger;
}
