import * as Y from 'yjs'
import { expect, test } from 'vitest'
import { isTakenBack } from './own-undo'

type Tree = string | { name: string; children: Tree[] }

const block = (name: string, ...children: Tree[]): Tree => ({ name, children })

function made(tree: Tree): Y.XmlElement | Y.XmlText {
  if (typeof tree === 'string') return new Y.XmlText(tree)
  const { name, children } = tree
  const element = new Y.XmlElement(name)
  element.insert(0, children.map(made))
  return element
}

const ana = Symbol('Ana')

/** What is left where Ana makes something, Ben writes into it, and Ana undoes it. */
function undone(mine: Tree, bens: (top: Y.XmlElement) => void): string {
  const doc = new Y.Doc()
  const fragment = doc.getXmlFragment('default')
  const undo = new Y.UndoManager(fragment, { trackedOrigins: new Set([ana]), deleteFilter: isTakenBack })
  doc.transact(() => fragment.insert(0, [made(mine)]), ana)
  const ben = new Y.Doc()
  Y.applyUpdate(ben, Y.encodeStateAsUpdate(doc))
  const top = ben.getXmlFragment('default').get(0)
  if (top instanceof Y.XmlElement) bens(top)
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(ben))
  undo.undo()
  return fragment.toString()
}

/** The text at a path of children. */
function textAt(top: Y.XmlElement, ...path: number[]): Y.XmlText {
  let at: unknown = top
  for (const index of path) at = at instanceof Y.XmlElement ? at.get(index) : null
  if (!(at instanceof Y.XmlText)) throw new Error(`no text at ${path.join()}`)
  return at
}

const line = (words: string) => block('paragraph', words)

test.each<[string, Tree, number[], string]>([
  ['heading', block('heading', 'mine '), [0], '<heading>bens</heading>'],
  ['quotation', block('blockquote', line('mine '), line('mine too')), [0, 0], '<blockquote><paragraph>bens</paragraph></blockquote>'],
  ['list', block('bulletList', block('listItem', line('mine')), block('listItem', line('mine '))), [1, 0, 0], '<bulletlist><listitem><paragraph>bens</paragraph></listitem></bulletlist>'],
  ['table', block('table', block('tableRow', block('tableCell', line('')), block('tableCell', line('')))), [0, 1, 0, 0], '<table><tablerow><tablecell><paragraph>bens</paragraph></tablecell></tablerow></table>'],
])('[WRITE-4] somebody else’s words in one’s own %s keep their block, and nothing else of it', (_name, mine, path, left) => {
  expect(undone(mine, (top) => textAt(top, ...path).insert(textAt(top, ...path).length, 'bens'))).toBe(left)
})

test('[WRITE-4] what somebody else has hung below one’s own item keeps its line', () => {
  const left = undone(block('bulletList', block('listItem', line('mine')), block('listItem', line('mine'))), (list) => {
    const item = list.get(1)
    if (item instanceof Y.XmlElement) item.push([made(block('bulletList', block('listItem', line('bens'))))])
  })
  expect(left).toBe('<bulletlist><listitem><paragraph></paragraph><bulletlist><listitem><paragraph>bens</paragraph></listitem></bulletlist></listitem></bulletlist>')
})

test('[WRITE-4] a block in which nobody else has written goes altogether', () => {
  for (const mine of [block('heading', 'mine'), block('taskList', block('taskItem', line('mine'), block('taskList', block('taskItem', line('deeper'))))), block('horizontalRule')]) {
    expect(undone(mine, () => undefined)).toBe('')
  }
})
