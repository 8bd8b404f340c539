import { countStanding } from './life-runs'
import { type ManuscriptColumns } from './manuscript-columns'

const samples = 32

/** About how many characters of each block stood at each moment: counted at a few moments, and in between where that lies. */
export class LetterSamples {
  private readonly counts: Uint32Array
  private readonly stride: number

  constructor({ blocks, runs, places }: ManuscriptColumns) {
    this.stride = Math.max(1, Math.ceil(places.length / samples))
    this.counts = new Uint32Array(blocks.keys.length * (samples + 1))
    for (let block = 0; block < blocks.keys.length; block += 1) {
      for (let run = blocks.run[block] ?? 0; run < (blocks.run[block + 1] ?? 0); run += 1) {
        const first = Math.ceil((runs.born[run] ?? 0) / this.stride)
        for (let sample = first; sample <= samples; sample += 1) {
          const standing = countStanding(runs, run, sample * this.stride)
          // What has all gone does not come back.
          if (standing === 0) break
          const at = block * (samples + 1) + sample
          this.counts[at] = (this.counts[at] ?? 0) + standing
        }
      }
    }
  }

  /** How many of a block's characters stand about this moment. */
  near(block: number, at: number): number {
    const place = Math.max(0, Math.min(at / this.stride, samples))
    const sample = Math.floor(place)
    const before = this.counts[block * (samples + 1) + sample] ?? 0
    const after = sample < samples ? (this.counts[block * (samples + 1) + sample + 1] ?? 0) : before
    return before + (after - before) * (place - sample)
  }
}
