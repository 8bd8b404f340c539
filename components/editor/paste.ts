import { Extension } from '@tiptap/core'
import type { Fragment, Node, Slice } from '@tiptap/pm/model'
import { Plugin, Selection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { afterFirstThings } from '../session/first-things'
import { insisted } from '../session/insisted'

const mostBytes = 2 * 1024 * 1024
const pieceSize = 60_000

/** The sentence shown when somebody pastes more than a document takes at once. */
export function tooBigSentence(bytes: number): string {
  const megabytes = Math.max(2.1, bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')
  return `That’s ${megabytes} MB. Paste up to 2 MB at a time; your text is unchanged.`
}

/** Where a piece that begins at `from` ends: never within a character. */
function pieceEnd(block: Node, from: number): number {
  const end = from + pieceSize
  if (end >= block.content.size) return block.content.size
  const last = block.textBetween(end - 1, end).charCodeAt(0)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** Cuts a text block that is longer than a piece into its first piece and the words that follow. */
function cutBlock(block: Node): { first: Node; rest: Fragment[] } {
  const begin = pieceEnd(block, 0)
  const rest: Fragment[] = []
  for (let from = begin; from < block.content.size; from = pieceEnd(block, from)) rest.push(block.content.cut(from, pieceEnd(block, from)))
  return { first: block.copy(block.content.cut(0, begin)), rest }
}

/** Takes out what is selected and makes room between two blocks at the caret; answers where. */
function makeRoom(view: Pick<EditorView, 'state' | 'dispatch'>): number {
  const tr = view.state.tr.deleteSelection().setMeta('paste', true)
  const { $from } = tr.selection
  const { size } = $from.parent.content
  const within = $from.parentOffset > 0 && $from.parentOffset < size
  if (within) tr.split($from.pos)
  view.dispatch(tr)
  if (within) return $from.pos + 1
  return $from.parentOffset === 0 && size > 0 ? $from.before(1) : $from.after(1)
}

/**
 * Puts a long paste into the document in pieces, each a transaction and so an update of its own: one update for
 * all of it would be more than an event may carry. Undo still takes it back in one step.
 */
export function pasteInPieces(view: Pick<EditorView, 'state' | 'dispatch'>, content: Fragment): void {
  let position = makeRoom(view)
  let batch: Node[] = []
  let size = 0
  const insert = (at: number, what: Fragment | Node[]) => {
    const before = view.state.doc.content.size
    view.dispatch(view.state.tr.insert(at, what).setMeta('paste', true))
    return view.state.doc.content.size - before
  }
  const flush = () => {
    if (batch.length > 0) position += insert(position, batch)
    batch = []
    size = 0
  }
  content.forEach((block) => {
    const { first, rest } = block.isTextblock ? cutBlock(block) : { first: block, rest: [] }
    batch.push(first)
    size += first.nodeSize
    if (rest.length > 0 || size >= pieceSize) flush()
    for (const words of rest) position += insert(position - 1, words)
  })
  flush()
  view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(position), -1)).scrollIntoView())
}

/** Refuses a paste above 2 MB with a sentence, brings large ones in by pieces, and makes lists of Word's. */
export const Paste = Extension.create<{ onRefuse: (sentence: string) => void }>({
  name: 'longPaste',
  addOptions() {
    return { onRefuse: () => undefined }
  },
  addProseMirrorPlugins() {
    let listsOfWord = (html: string) => html
    return [
      new Plugin({
        view() {
          // Nobody begins with a copy from Word.
          void afterFirstThings()
            .then(() => insisted(() => import('./word-lists')))
            .then((fetched) => (listsOfWord = fetched.listsOfWord))
          return {}
        },
        props: {
          transformPastedHTML: (html) => listsOfWord(html),
          handleDOMEvents: {
            paste: (_view, event) => {
              const bytes = Math.max(
                ...['text/html', 'text/plain'].map((kind) => event.clipboardData?.getData(kind).length ?? 0),
              )
              if (bytes <= mostBytes) return false
              event.preventDefault()
              this.options.onRefuse(tooBigSentence(bytes))
              return true
            },
          },
          handlePaste: (view, _event, slice: Slice) => {
            const atTop = view.state.selection.$from.depth === 1 && view.state.selection.$to.depth === 1
            const blocks = slice.content.firstChild?.isBlock === true
            if (slice.content.size <= pieceSize || !atTop || !blocks) return false
            pasteInPieces(view, slice.content)
            return true
          },
        },
      }),
    ]
  },
})
