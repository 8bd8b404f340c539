import { placeStanding } from './life-runs'
import { type ManuscriptColumns, signKind } from './manuscript-columns'
import { attributesAt, type PageNode, type PageText, turned } from './manuscript-page'

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

/** Reads a block as it stood at one moment straight from the columns, passing over whole runs of what did not stand there. */
class PlainReader {
  private readonly columns: ManuscriptColumns
  private readonly moment: number
  private sign: number
  private run: number
  private readonly start: number
  private readonly text: string
  private readonly span = { from: 0, to: 0 }

  constructor(columns: ManuscriptColumns, index: number, moment: number) {
    const { blocks } = columns
    this.columns = columns
    this.moment = moment
    this.sign = blocks.sign[index] ?? 0
    this.run = blocks.run[index] ?? 0
    this.start = blocks.start[index] ?? 0
    this.text = utf16.decode(columns.text.subarray(this.start, blocks.start[index + 1]))
  }

  read(): (PageNode | PageText)[] {
    const { signs, parts } = this.columns
    const opening = this.sign
    this.sign += 1
    if (!this.stands(signs.born[opening] ?? 0, signs.died[opening] ?? 0)) return this.pass()
    if (signs.kind[opening] === signKind.line) return this.line(signs.at[opening] ?? 0)
    const content: (PageNode | PageText)[] = []
    while (signs.kind[this.sign] !== signKind.end && this.sign < signs.kind.length) content.push(...this.read())
    this.sign += 1
    const { name, attributes } = parts[signs.fact[opening] ?? 0] ?? { name: '', attributes: [] }
    return [{ name, attrs: attributesAt(attributes, this.moment), content, died: null }]
  }

  private stands(born: number, died: number): boolean {
    return born <= this.moment && died > this.moment
  }

  /** Goes behind the end of what has begun. */
  private pass(): [] {
    const { kind } = this.columns.signs
    for (let depth = 1; depth > 0 && this.sign < kind.length; this.sign += 1) {
      if (kind[this.sign] === signKind.end) depth -= 1
      else if (kind[this.sign] !== signKind.turn) depth += 1
    }
    return []
  }

  private line(from: number): PageText[] {
    const { signs, turns } = this.columns
    const runs: PageText[] = []
    let marks: PageText['marks'] = []
    for (let at = from; this.sign < signs.kind.length; this.sign += 1) {
      const { sign } = this
      const end = signs.at[sign] ?? 0
      if (end > at) this.stretch(at, end, marks, runs)
      at = end
      if (signs.kind[sign] !== signKind.turn) break
      const turn = turns[signs.fact[sign] ?? 0]
      if (turn && this.stands(signs.born[sign] ?? 0, signs.died[sign] ?? 0)) marks = turned(marks, turn)
    }
    this.sign += 1
    return runs
  }

  private stretch(from: number, end: number, marks: PageText['marks'], into: PageText[]): void {
    const { runs } = this.columns
    const { span } = this
    while ((runs.start[this.run + 1] ?? runs.length) <= from) this.run += 1
    for (; (runs.start[this.run] ?? runs.length) < end; this.run += 1) {
      placeStanding(runs, this.run, this.moment, span)
      const first = Math.max(span.from, from)
      const last = Math.min(span.to, end)
      if (first < last) {
        const letters = this.text.slice(first - this.start, last - this.start)
        const open = into.at(-1)
        if (open?.marks === marks) open.text += letters
        else into.push({ text: letters, marks, born: runs.born[this.run] ?? 0, died: null })
      }
      if ((runs.start[this.run + 1] ?? runs.length) > end) return
    }
  }
}

/** A block as it stood at a moment, without what went and without regard to who wrote what; nothing where it did not stand. */
export function plainAt(columns: ManuscriptColumns, index: number, moment: number): (PageNode | PageText)[] {
  const sign = columns.blocks.sign[index] ?? 0
  const stood = (columns.signs.born[sign] ?? 0) <= moment && (columns.signs.died[sign] ?? 0) > moment
  return stood ? new PlainReader(columns, index, moment).read() : []
}
