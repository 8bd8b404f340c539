import { countStanding } from "./life-runs";
import type { LifeRuns } from "./life-runs";
import type { ColumnarHistory } from "./columnar-history";

const samples = 32;

const strideOf = (revisionCount: number) => Math.max(1, Math.ceil(revisionCount / samples));

/** Counts the standing characters of every block at sampled revisions, block by block. */
export function countSamples(
  runs: LifeRuns,
  firstRuns: ArrayLike<number>,
  revisionCount: number,
): Uint32Array {
  const stride = strideOf(revisionCount);
  const blocks = Math.max(0, firstRuns.length - 1);
  const counts = new Uint32Array(blocks * (samples + 1));
  for (let block = 0; block < blocks; block += 1) {
    for (let run = firstRuns[block] ?? 0; run < (firstRuns[block + 1] ?? 0); run += 1) {
      for (let sample = Math.ceil((runs.born[run] ?? 0) / stride); sample <= samples; sample += 1) {
        const standing = countStanding(runs, run, sample * stride);
        // Deleted runs never return, so later samples are zero.
        if (standing === 0) break;
        const at = block * (samples + 1) + sample;
        counts[at] = (counts[at] ?? 0) + standing;
      }
    }
  }
  return counts;
}

/**
 * Estimates how many characters of each block stood at a revision, by interpolating between sampled
 * counts.
 */
export class LetterSamples {
  private readonly counts: Uint32Array;
  private readonly stride: number;

  constructor({ samples: counts, places }: Pick<ColumnarHistory, "samples" | "places">) {
    this.stride = strideOf(places.length);
    this.counts = counts;
  }

  /** Estimates how many of a block's characters stand at this revision. */
  near(block: number, at: number): number {
    const place = Math.max(0, Math.min(at / this.stride, samples));
    const sample = Math.floor(place);
    const before = this.counts[block * (samples + 1) + sample] ?? 0;
    const after =
      sample < samples ? (this.counts[block * (samples + 1) + sample + 1] ?? 0) : before;
    return before + (after - before) * (place - sample);
  }
}
