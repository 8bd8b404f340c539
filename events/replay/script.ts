import { type Block, type Part, type Strand, type TextLine } from './manuscript'
import { type Timeline } from './timeline'

/** A line of text of all times: every character that ever stood in it, in the order of the page, with its moments. */
export type Line = {
  /** The top-level block it is in, an index into the timeline's blocks. */
  block: number
  text: string
  born: Uint32Array
  died: Uint32Array
  /** The Yjs ids of the characters: those from offset `from` on have the clocks from `clock` on. */
  ids: { from: number; client: number; clock: number }[]
}

/** A character of the script: the `offset`th of the `line`th line. */
export type Place = { line: number; offset: number }

/** Everything ever written in a document, as lines of characters. */
export type Script = { lines: Line[]; placeOf(client: number, clock: number): Place | null }

function lineOf(block: number, strands: Strand[]): Line {
  const length = strands.reduce((sum, { text }) => sum + text.length, 0)
  const [born, died] = [new Uint32Array(length), new Uint32Array(length)]
  const ids: Line['ids'] = []
  let from = 0
  for (const strand of strands) {
    born.set(strand.born, from)
    died.set(strand.died, from)
    ids.push({ from, client: strand.client, clock: strand.clock })
    from += strand.text.length
  }
  return { block, text: strands.map(({ text }) => text).join(''), born, died, ids }
}

function textLines(node: Part | TextLine): TextLine[] {
  return node.kind === 'line' ? [node] : node.children.flatMap(textLines)
}

function linesOf(blocks: readonly Block[]): Line[] {
  return blocks.flatMap(({ node }, block) =>
    textLines(node).map(({ pieces }) => lineOf(block, pieces.filter((piece) => piece.kind === 'strand'))),
  )
}

type Stretch = { clock: number; length: number; line: number; offset: number }

function stretchesOf(lines: readonly Line[]): Map<number, Stretch[]> {
  const stretches = new Map<number, Stretch[]>()
  for (const [line, { ids, text }] of lines.entries()) {
    for (const [at, { from, client, clock }] of ids.entries()) {
      const known = stretches.get(client) ?? []
      known.push({ clock, length: (ids[at + 1]?.from ?? text.length) - from, line, offset: from })
      stretches.set(client, known)
    }
  }
  for (const known of stretches.values()) known.sort((a, b) => a.clock - b.clock)
  return stretches
}

const scripts = new WeakMap<readonly Block[], Script>()

/** The script of a timeline, made once for each. */
export function scriptOf({ blocks }: Pick<Timeline, 'blocks'>): Script {
  const made = scripts.get(blocks)
  if (made) return made
  const lines = linesOf(blocks)
  let stretches: Map<number, Stretch[]> | null = null
  const script: Script = {
    lines,
    placeOf: (client, clock) => {
      stretches ??= stretchesOf(lines)
      const near = stretches.get(client)?.findLast((stretch) => stretch.clock <= clock)
      if (!near || clock >= near.clock + near.length) return null
      return { line: near.line, offset: near.offset + clock - near.clock }
    },
  }
  scripts.set(blocks, script)
  return script
}

/** The Yjs id of a character of a line. */
export function idOf({ ids }: Line, offset: number): { client: number; clock: number } | null {
  const near = ids.findLast(({ from }) => from <= offset)
  return near ? { client: near.client, clock: near.clock + offset - near.from } : null
}

/** Whether a character stood at a moment. */
export function standsAt({ born, died }: Line, offset: number, at: number): boolean {
  return (born[offset] ?? 0) <= at && (died[offset] ?? 0) > at
}

/** What a line read at a moment, of the characters from one offset to before another. */
export function textAt(line: Line, at: number, from = 0, to = line.text.length): string {
  let read = ''
  for (let offset = Math.max(0, from); offset < Math.min(to, line.text.length); offset += 1) {
    if (standsAt(line, offset, at)) read += line.text[offset] ?? ''
  }
  return read
}
