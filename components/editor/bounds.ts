/** Gives an integer between `low` and `high`, `low` for everything else: what an attribute may be when it is rendered. */
export function within(value: unknown, low: number, high: number): number {
  return typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : low
}
