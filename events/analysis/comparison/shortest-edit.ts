type Pairs = { pairs: [x: number, y: number][]; effort: number };

/**
 * Returns the pairs of a shortest edit script (Myers) between `n` and `m` items, last first.
 * Returns no pairs if more than `most` items differ. `effort` is the number of steps.
 */
export function shortestEdit(
  n: number,
  m: number,
  most: number,
  same: (x: number, y: number) => boolean,
): Pairs {
  const limit = Math.min(n + m, most);
  const middle = limit + 1;
  // The furthest point of each diagonal. `trail` saves its values before each round.
  const furthest = new Int32Array(2 * middle + 1).fill(-1);
  furthest[middle + 1] = 0;
  const trail: Int32Array[] = [];
  let effort = 0;
  for (let d = 0; d <= limit; d += 1) {
    trail.push(furthest.slice(middle - d - 1, middle + d + 2));
    effort += 3 * d + 1;
    for (let k = -d; k <= d; k += 2) {
      const [left, right] = [furthest[middle + k - 1] ?? -1, furthest[middle + k + 1] ?? -1];
      let x = k === -d || (k !== d && left < right) ? right : left + 1;
      while (x < n && x - k < m && same(x, x - k)) {
        x += 1;
        effort += 1;
      }
      furthest[middle + k] = x;
      if (x >= n && x - k >= m) return { pairs: walkedBack(trail, n, m), effort };
    }
  }
  return { pairs: [], effort };
}

function walkedBack(trail: readonly Int32Array[], n: number, m: number): [number, number][] {
  const pairs: [number, number][] = [];
  let [x, y] = [n, m];
  for (let d = trail.length - 1; d >= 0; d -= 1) {
    const before = trail[d];
    // The values saved before the round have diagonal k at index k + d + 1.
    const at = (k: number) => before?.[k + d + 1] ?? -1;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const k0 = down ? k + 1 : k - 1;
    const x0 = d === 0 ? 0 : at(k0);
    const y0 = d === 0 ? 0 : x0 - k0;
    while (x > x0 && y > y0) pairs.push([--x, --y]);
    [x, y] = [x0, y0];
  }
  return pairs;
}
