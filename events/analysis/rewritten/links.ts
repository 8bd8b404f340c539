import { lastUpTo } from "@/events/core/binary-search";

/** Maps runs of characters to other characters. Sorted by `at`. */
export type Links = { at: Uint32Array; length: Uint32Array; to: Uint32Array };

export function linksOf(runs: readonly { at: number; length: number; to: number }[]): Links {
  const sorted = runs.toSorted((one, other) => one.at - other.at);
  return {
    at: Uint32Array.from(sorted, ({ at }) => at),
    length: Uint32Array.from(sorted, ({ length }) => length),
    to: Uint32Array.from(sorted, ({ to }) => to),
  };
}

/** Returns the character that a character maps to, or null if there is none. */
export function linked({ at: starts, length, to }: Links, at: number): number | null {
  const run = lastUpTo(starts, at);
  const within = at - (starts[run] ?? 0);
  return run >= 0 && within < (length[run] ?? 0) ? (to[run] ?? 0) + within : null;
}

/** Whether any character of a range maps to another one. */
export function touches({ at: starts, length }: Links, from: number, to: number): boolean {
  const run = lastUpTo(starts, to - 1);
  return run >= 0 && (starts[run] ?? 0) + (length[run] ?? 0) > from;
}
