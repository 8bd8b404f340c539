import { bornStep, countStanding, diedStep, type LifeRuns } from './life-runs'
import { never } from '../yjs/lifespans'
import { type ManuscriptColumns, nowhere, signKind } from './manuscript-columns'
import { type PageNode, type PageText } from './manuscript-page'
import { plainAt } from './plain-page'

/** Something that was once in the text, with the moments between which it stood there. */
type Lived = { born: number; died: number }

/** A stretch of characters in the order of the page; each has its own moments. `client` and `clock` are the Yjs id of the first, and the others' clocks follow. */
export type Strand = { kind: 'strand'; text: string; born: Uint32Array; died: Uint32Array; client: number; clock: number }
/** A mark that begins (`value` set) or ends (`value` null) here. */
export type Turn = Lived & { kind: 'turn'; key: string; value: unknown }
export type TextLine = Lived & { kind: 'line'; pieces: (Strand | Turn)[] }
export type Attribute = Lived & { key: string; value: unknown }
export type Part = Lived & { kind: 'part'; name: string; attributes: Attribute[]; children: (Part | TextLine)[] }

/** A top-level block of everything ever written; what is in it is made when it is asked for. */
export type Block = {
  /** Its place among all blocks of all times. */
  readonly index: number
  readonly key: string
  readonly born: number
  readonly died: number
  readonly node: Part | TextLine
  /** The moments at which anything in it changed, ascending. */
  readonly changes: Uint32Array
  /** It as it stood at a moment, without what went and without regard to who wrote what; nothing where it did not stand. */
  plainAt(at: number): (PageNode | PageText)[]
  /** How many characters of it stand at a moment, without making any of it. */
  lettersAt(at: number): number
  /** Whether nothing in it came or went after the moment `from`, up to and with `to`, in either order. */
  quietBetween(from: number, to: number): boolean
}

const keptBlocks = 256

function collect(node: Part | TextLine, into: Set<number>): void {
  const both = ({ born, died }: Lived) => into.add(born).add(died)
  both(node)
  if (node.kind === 'part') {
    node.attributes.forEach(both)
    for (const child of node.children) collect(child, into)
    return
  }
  for (const piece of node.pieces) {
    if (piece.kind === 'turn') both(piece)
    else {
      for (const moment of piece.born) into.add(moment)
      for (const moment of piece.died) into.add(moment)
    }
  }
}

/**
 * Everything that was ever written into a document, in the order of the page. Deleted characters keep their place in
 * Yjs's list, so the text at any moment is this, less what was not yet written or already gone: one pass, no replaying.
 */
export class Manuscript {
  readonly blocks: Block[]
  readonly columns: ManuscriptColumns
  private readonly nodes = new Map<number, Part | TextLine>()

  constructor(columns: ManuscriptColumns) {
    this.columns = columns
    this.blocks = columns.blocks.keys.map((key, index) => new StoredBlock(this, index, key))
  }

  /** The block in which a moment wrote or, if it wrote nothing, erased; null where it did neither. */
  blockOf(moment: number): Block | null {
    const { places } = this.columns
    const place = places[moment] ?? nowhere(places)
    return place === nowhere(places) ? null : (this.blocks[place] ?? null)
  }

  /** The blocks that stand at the moment `to`, and those that stood at `from` and went since. */
  standingBetween(from: number, to: number): Block[] {
    const { signs, blocks } = this.columns
    return this.blocks.filter((_, index) => {
      const sign = blocks.sign[index] ?? 0
      const [born, died] = [signs.born[sign] ?? 0, signs.died[sign] ?? 0]
      return died > to ? born <= to : died > from && born <= from
    })
  }

  /** What is in a block; of all blocks, those asked for last are kept. */
  nodeOf(index: number): Part | TextLine {
    const known = this.nodes.get(index)
    if (known) {
      this.nodes.delete(index)
      this.nodes.set(index, known)
      return known
    }
    const node = new BlockReader(this.columns, index).read()
    this.nodes.set(index, node)
    const [oldest] = this.nodes.keys()
    if (this.nodes.size > keptBlocks && oldest !== undefined) this.nodes.delete(oldest)
    return node
  }
}

class StoredBlock implements Block {
  readonly index: number
  readonly key: string
  private readonly manuscript: Manuscript

  constructor(manuscript: Manuscript, index: number, key: string) {
    this.manuscript = manuscript
    this.index = index
    this.key = key
  }

  get born(): number {
    return this.columns.signs.born[this.firstSign] ?? never
  }

  get died(): number {
    return this.columns.signs.died[this.firstSign] ?? never
  }

  get node(): Part | TextLine {
    return this.manuscript.nodeOf(this.index)
  }

  get changes(): Uint32Array {
    const moments = new Set<number>()
    collect(this.node, moments)
    return Uint32Array.from(moments).sort()
  }

  plainAt(at: number): (PageNode | PageText)[] {
    return plainAt(this.columns, this.index, at)
  }

  lettersAt(at: number): number {
    const { runs, blocks } = this.columns
    const end = blocks.run[this.index + 1] ?? 0
    let letters = 0
    for (let run = blocks.run[this.index] ?? 0; run < end; run += 1) letters += countStanding(runs, run, at)
    return letters
  }

  quietBetween(one: number, other: number): boolean {
    const from = Math.min(one, other)
    const to = Math.max(one, other)
    if (from === to) return true
    const { runs, blocks, signs, parts } = this.columns
    const within = (moment: number) => moment > from && moment <= to
    for (let run = blocks.run[this.index] ?? 0; run < (blocks.run[this.index + 1] ?? 0); run += 1) {
      const length = lengthOf(runs, run) - 1
      const steps = runs.steps[run] ?? 0
      const born = runs.born[run] ?? 0
      const died = runs.died[run] ?? 0
      if (born <= to && born + length * bornStep(steps) > from) return false
      const last = died + length * diedStep(steps)
      if (Math.min(died, last) <= to && Math.max(died, last) > from) return false
    }
    for (let sign = this.firstSign; sign < (blocks.sign[this.index + 1] ?? 0); sign += 1) {
      const kind = signs.kind[sign]
      if (kind === signKind.end) continue
      if (within(signs.born[sign] ?? 0) || within(signs.died[sign] ?? 0)) return false
      if (kind === signKind.part && parts[signs.fact[sign] ?? 0]?.attributes.some(({ born, died }) => within(born) || within(died))) return false
    }
    return true
  }

  private get columns(): ManuscriptColumns {
    return this.manuscript.columns
  }

  private get firstSign(): number {
    return this.columns.blocks.sign[this.index] ?? 0
  }
}

function runEnd({ start, length }: LifeRuns, run: number): number {
  return start[run + 1] ?? length
}

function lengthOf(runs: LifeRuns, run: number): number {
  return runEnd(runs, run) - (runs.start[run] ?? 0)
}

/** Makes a block's nodes from the columns. */
class BlockReader {
  private readonly columns: ManuscriptColumns
  private sign: number
  private at: number
  private run: number

  constructor(columns: ManuscriptColumns, index: number) {
    this.columns = columns
    this.sign = columns.blocks.sign[index] ?? 0
    this.at = columns.blocks.start[index] ?? 0
    this.run = columns.blocks.run[index] ?? 0
  }

  read(): Part | TextLine {
    const { signs, parts } = this.columns
    const opening = this.sign
    this.sign += 1
    const lived = { born: signs.born[opening] ?? 0, died: signs.died[opening] ?? 0 }
    if (signs.kind[opening] === signKind.line) return { kind: 'line', pieces: this.pieces(), ...lived }
    const { name, attributes } = parts[signs.fact[opening] ?? 0] ?? { name: '', attributes: [] }
    const children: (Part | TextLine)[] = []
    while (signs.kind[this.sign] !== signKind.end && this.sign < signs.kind.length) children.push(this.read())
    this.sign += 1
    return { kind: 'part', name, attributes, children, ...lived }
  }

  private pieces(): (Strand | Turn)[] {
    const { signs, turns } = this.columns
    const pieces: (Strand | Turn)[] = []
    for (; this.sign < signs.kind.length; this.sign += 1) {
      const { sign } = this
      while (this.at < (signs.at[sign] ?? 0)) pieces.push(this.strand(signs.at[sign] ?? 0))
      if (signs.kind[sign] !== signKind.turn) break
      const { key, value } = turns[signs.fact[sign] ?? 0] ?? { key: '', value: null }
      pieces.push({ kind: 'turn', key, value, born: signs.born[sign] ?? 0, died: signs.died[sign] ?? 0 })
    }
    this.sign += 1
    return pieces
  }

  /** The characters of one Yjs client that follow each other, at most up to a character. */
  private strand(end: number): Strand {
    const { runs, text } = this.columns
    const from = this.at
    const client = runs.client[this.run] ?? 0
    const clock = (runs.clock[this.run] ?? 0) + from - (runs.start[this.run] ?? 0)
    const joins = (run: number) => runs.client[run] === client && (runs.clock[run] ?? 0) - (runs.start[run] ?? 0) === clock - from
    let last = this.run
    while (runEnd(runs, last) < end && joins(last + 1)) last += 1
    const to = Math.min(end, runEnd(runs, last))
    const born = new Uint32Array(to - from)
    const died = new Uint32Array(to - from)
    for (let run = this.run, at = from; run <= last; run += 1) {
      const start = runs.start[run] ?? 0
      const stop = Math.min(to, runEnd(runs, run))
      const steps = runs.steps[run] ?? 0
      const [firstBorn, firstDied, bornOn, diedOn] = [runs.born[run] ?? 0, runs.died[run] ?? 0, bornStep(steps), diedStep(steps)]
      for (; at < stop; at += 1) {
        born[at - from] = firstBorn + (at - start) * bornOn
        died[at - from] = firstDied + (at - start) * diedOn
      }
    }
    this.run = to === runEnd(runs, last) ? last + 1 : last
    this.at = to
    return { kind: 'strand', text: decoded(text.subarray(from, to)), born, died, client: runs.clients[client] ?? 0, clock }
  }
}

const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true })

function decoded(units: Uint16Array): string {
  return units.length < 32 ? String.fromCharCode(...units) : utf16.decode(units)
}
