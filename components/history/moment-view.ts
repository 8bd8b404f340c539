import { DOMSerializer, type DOMOutputSpec } from '@tiptap/pm/model'
import { blockAt, type PageNode, type PageText, type PageView, revisionAt } from '../../events/manuscript-page'
import { type Timeline } from '../../events/timeline'
import { documentSchema } from '../editor/schema'
import { personClass } from '../ui/palette'

export type Person = { userId: string; name: string; color: number }

/** How much of the writing wears its author's colour: what is of this session, or everything. */
export type Tinting = 'session' | 'all'

type Shown = { revision: string; nodes: Node[] }
type Window = { at: number; fresh: number; session: number; struck: number }

/** How long, in the player's time, writing is fresh and what was struck stays to be read. */
const freshFor = 2_500
const struckFor = 8_000
const overlap = /--[a-zA-Z0-9+/=]{8}$/

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function known(attrs: unknown, names: Record<string, unknown> | undefined): Record<string, unknown> {
  return isRecord(attrs) ? Object.fromEntries(Object.entries(attrs).filter(([name]) => names && name in names)) : {}
}

/**
 * The text as it stood, kept in the DOM block by block: a block is made again only if something in it, or the way it is
 * tinted, changed between the moment shown and the one asked for.
 */
export class MomentView {
  private readonly root: HTMLElement
  private readonly timeline: Timeline
  private readonly people: Person[]
  private readonly shown = new Map<string, Shown>()
  private caret: HTMLElement | null = null

  constructor(root: HTMLElement, timeline: Timeline, people: ReadonlyMap<string, Person>) {
    this.root = root
    this.timeline = timeline
    this.people = timeline.authors.map((userId) => people.get(userId) ?? { userId, name: 'Somebody', color: 10 })
    root.replaceChildren()
  }

  /** Where the author of the moment shown was writing, if that is to be seen. */
  get place(): HTMLElement | null {
    return this.caret
  }

  show(at: number, tinting: Tinting): void {
    const { pace, blocks } = this.timeline
    const session = pace.sessions[pace.sessionOf(at)]?.from ?? 0
    const group = this.timeline.groupBefore(at + 1)
    const window: Window = {
      at,
      fresh: Math.max(session, Math.min(group, pace.momentAt(pace.playedAt(at) - freshFor))),
      session: tinting === 'all' ? 0 : session,
      struck: Math.max(session, Math.min(pace.momentAt(pace.playedAt(at) - struckFor), group - 1)),
    }
    this.caret = null
    let next: ChildNode | null = this.root.firstChild
    for (const block of blocks) {
      const counts = [at, window.fresh - 1, window.session - 1, window.struck].map((moment) => revisionAt(block.changes, moment))
      // What changes at this very moment holds the caret, and must be made again when the moment passes.
      const now = revisionAt(block.changes, at) !== revisionAt(block.changes, at - 1)
      const revision = `${counts.join(' ')} ${now}`
      const before = this.shown.get(block.key)
      const same = before?.revision === revision && !now
      const nodes: Node[] = before && same ? before.nodes : blockAt(block, this.view(window)).flatMap((node) => this.rendered(node, window))
      if (before && !same) {
        for (const node of before.nodes) {
          if (node === next) next = next.nextSibling
          node.parentNode?.removeChild(node)
        }
      }
      for (const node of nodes) {
        if (node === next) next = next.nextSibling
        else this.root.insertBefore(node, next)
      }
      if (!same) this.shown.set(block.key, { revision, nodes })
    }
  }

  private view({ at, fresh, session, struck }: Window): PageView {
    const tint = (born: number) => {
      const author = this.timeline.authorOf(born)
      return born === at ? 'now' : born >= fresh ? `fresh ${author}` : born >= session ? `dry ${author}` : 'old'
    }
    return { at, struckSince: struck, tint }
  }

  private rendered(node: PageNode | PageText, window: Window): Node[] {
    return 'text' in node ? this.text(node, window) : [this.element(node, window)]
  }

  private element(node: PageNode, window: Window): Node {
    const type = documentSchema.nodes[node.name]
    const spec: DOMOutputSpec = type?.spec.toDOM?.(type.create(known(node.attrs, type.spec.attrs))) ?? ['div', 0]
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec)
    for (const child of node.content) for (const made of this.rendered(child, window)) contentDOM?.appendChild(made)
    // An empty paragraph keeps its line, as it does in the editor.
    if (contentDOM && node.content.length === 0 && type?.isTextblock) contentDOM.appendChild(document.createElement('br'))
    for (const input of dom instanceof Element ? dom.querySelectorAll('input') : []) input.disabled = true
    return dom
  }

  private text({ text, marks, born, died }: PageText, { at, fresh, session }: Window): Node[] {
    let inner: Node = died === null ? document.createTextNode(text) : this.struck(text, died, died >= fresh)
    if (died === null && born >= session) {
      const wash = this.personal(born >= fresh ? 'ins' : 'span', born, born >= fresh ? 'fresh' : 'dry')
      wash.append(inner)
      inner = wash
    }
    for (const { type: name, attrs } of marks.toReversed()) {
      const type = documentSchema.marks[name.replace(overlap, '')]
      const spec = type?.spec.toDOM?.(type.create(known(attrs, type.spec.attrs)), true)
      if (!spec) continue
      const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec)
      ;(contentDOM ?? dom).appendChild(inner)
      inner = dom
    }
    if (born === at && died === null) return [inner, this.placeCaret(born)]
    return died === at ? [this.placeCaret(died), inner] : [inner]
  }

  private person(moment: number): Person | undefined {
    return this.people[this.timeline.authorOf(moment)]
  }

  /** What is gone is shown by the style sheet and is no part of the text: it can be read, and not copied or searched. */
  private struck(text: string, died: number, now: boolean): HTMLElement {
    const struck = this.personal('del', died, now ? 'struck' : 'gone')
    struck.dataset.text = text
    return struck
  }

  private personal(tag: 'ins' | 'del' | 'span', moment: number, state: string): HTMLElement {
    const person = this.person(moment)
    const element = document.createElement(tag)
    element.className = `${personClass(person?.color ?? 10)} ${state}`
    element.dataset.author = person?.name ?? 'somebody'
    return element
  }

  private placeCaret(moment: number): HTMLElement {
    const caret = document.createElement('span')
    caret.className = `caret at ${personClass(this.person(moment)?.color ?? 10)}`
    caret.setAttribute('aria-hidden', 'true')
    this.caret = caret
    return caret
  }
}
