import { Mark, type DOMOutputSpec, type NodeType } from '@tiptap/pm/model'
import { XmlElement, XmlText, type XmlFragment } from 'yjs'
import { documentSchema } from './schema'

const deepest = 64

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[letter] ?? letter)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const childless = new Set(['br', 'hr', 'input', 'col', 'img'])

/** Writes one of ProseMirror's output specs as HTML, with `content` in its hole. */
function markup(spec: DOMOutputSpec, content: string): string {
  if (typeof spec === 'string') return escaped(spec)
  if (!Array.isArray(spec)) return content
  const [tag, ...rest]: unknown[] = spec
  if (typeof tag !== 'string' || !/^[a-z][a-z0-9]*$/.test(tag)) return content
  const [first] = rest
  const attributes = isRecord(first) ? first : {}
  const children = isRecord(first) ? rest.slice(1) : rest
  let open = `<${tag}`
  for (const [name, value] of Object.entries(attributes)) {
    const plain = typeof value === 'string' || typeof value === 'number'
    if (plain && /^[a-z][a-z-]*$/.test(name) && !name.startsWith('on')) open += ` ${name}="${escaped(String(value))}"`
  }
  if (childless.has(tag)) return `${open}>`
  const inside = children.map((child) => (child === 0 ? content : isSpec(child) ? markup(child, content) : '')).join('')
  return `${open}>${inside}</${tag}>`
}

function isSpec(value: unknown): value is DOMOutputSpec {
  return typeof value === 'string' || Array.isArray(value)
}

function marksOf(attributes: unknown): readonly Mark[] {
  if (!isRecord(attributes)) return Mark.none
  let marks: readonly Mark[] = Mark.none
  for (const [name, value] of Object.entries(attributes)) {
    const type = documentSchema.marks[name.replace(/--[a-zA-Z0-9+/=]{8}$/, '')]
    if (type !== undefined && value !== null) marks = type.create(isRecord(value) ? value : null).addToSet(marks)
  }
  return marks
}

function isSame(one: Mark | undefined, other: Mark | undefined): boolean {
  return one !== undefined && other !== undefined && one.eq(other)
}

type Open = { mark: Mark; html: string }

/** Renders the runs of one text, keeping a mark open across neighbouring runs as ProseMirror does. */
function textHtml(text: XmlText): string {
  const stack: Open[] = []
  let html = ''
  const add = (piece: string) => {
    const top = stack.at(-1)
    if (top === undefined) html += piece
    else top.html += piece
  }
  const close = () => {
    const top = stack.pop()
    if (top !== undefined) add(markup(top.mark.type.spec.toDOM?.(top.mark, true) ?? ['span', 0], top.html))
  }
  const runs: { insert?: unknown; attributes?: unknown }[] = text.toDelta()
  for (const run of runs) {
    if (typeof run.insert !== 'string') continue
    const marks = marksOf(run.attributes)
    let shared = 0
    while (shared < marks.length && isSame(stack[shared]?.mark, marks[shared])) shared += 1
    while (stack.length > shared) close()
    for (const mark of marks.slice(shared)) stack.push({ mark, html: '' })
    add(escaped(run.insert))
  }
  while (stack.length > 0) close()
  return html
}

function attributesFor(type: NodeType, element: XmlElement): Record<string, unknown> {
  const given: Record<string, unknown> = element.getAttributes()
  return Object.fromEntries(Object.keys(type.spec.attrs ?? {}).flatMap((name) => (name in given ? [[name, given[name]]] : [])))
}

function elementHtml(element: XmlElement, depth: number): string {
  const content = childrenHtml(element, depth + 1)
  const type = documentSchema.nodes[element.nodeName]
  if (type === undefined || type.isText || type.spec.toDOM === undefined) return `<div>${content}</div>`
  const node = type.create(attributesFor(type, element))
  // An empty paragraph is as tall as a line, in the editor by a break of its own.
  return markup(type.spec.toDOM(node), content === '' && type.isTextblock ? '<br>' : content)
}

function childrenHtml(parent: XmlFragment, depth: number): string {
  if (depth > deepest) return ''
  let html = ''
  for (const child of parent.toArray()) {
    if (child instanceof XmlText) html += textHtml(child)
    else if (child instanceof XmlElement) html += elementHtml(child, depth)
  }
  return html
}

/**
 * Renders the text of a document as HTML without a browser: the same elements as the editor's, every letter and
 * attribute escaped. What this version does not know is shown by its text; it never throws on hostile content.
 */
export function staticHtml(fragment: XmlFragment): string {
  return childrenHtml(fragment, 0)
}
