import { mergeAttributes } from '@tiptap/core'
import { CodeBlock as BaseCodeBlock } from '@tiptap/extension-code-block'
import { Heading as BaseHeading } from '@tiptap/extension-heading'
import { OrderedList as BaseOrderedList, TaskItem as BaseTaskItem } from '@tiptap/extension-list'
import { within } from './bounds'

/*
 * No attribute has a throwing `validate`: Yjs bindings delete, for everybody, whatever throws while it is made into
 * a node. Every value is brought within bounds where it is rendered instead, and content-guard.ts keeps what could
 * crash an editor from reaching one.
 */

const headingLevels: (1 | 2 | 3)[] = [1, 2, 3]
/** Headings of three levels. The title is the page's h1, so level 1 is rendered as h2; `data-level` keeps a copy exact. */
export const Heading = BaseHeading.configure({ levels: headingLevels }).extend({
  addAttributes() {
    return { level: { default: 1, rendered: false } }
  },
  parseHTML() {
    return [1, 2, 3, 4, 5, 6].map((number) => ({
      tag: `h${number}`,
      getAttrs: (element: HTMLElement) => ({
        level: Math.min(3, within(Number(element.getAttribute('data-level') ?? number), 1, 6)),
      }),
    }))
  },
  renderHTML({ node, HTMLAttributes }) {
    const level = within(node.attrs.level, 1, 3)
    return [`h${level + 1}`, mergeAttributes(HTMLAttributes, { 'data-level': level }), 0]
  },
})

/** Code in a block of its own; the language is kept as a word and never reaches the page. */
export const CodeBlock = BaseCodeBlock.extend({
  addAttributes() {
    return {
      language: {
        default: null,
        rendered: false,
        parseHTML: (element: HTMLElement) =>
          /(?:^|\s)language-([\w+#.-]{1,32})/.exec(element.firstElementChild?.className ?? '')?.[1] ?? null,
      },
    }
  },
  renderHTML({ HTMLAttributes }) {
    return ['pre', HTMLAttributes, ['code', { spellcheck: 'false' }, 0]]
  },
})

/** A numbered list that begins at a number of its own and has one kind of numeral. */
export const OrderedList = BaseOrderedList.extend({
  addAttributes() {
    return {
      start: {
        default: 1,
        parseHTML: (element: HTMLElement) => within(Number(element.getAttribute('start') ?? 1), 1, 1_000_000),
        renderHTML: (attributes) => {
          const start = within(attributes.start, 1, 1_000_000)
          return start === 1 ? {} : { start }
        },
      },
    }
  },
})

/**
 * A thing to do. It has no node view: the server's HTML and the editor's are the same, so that the editor takes
 * over without moving anything; the click on the box is handled in task-toggle.ts.
 */
export const TaskItem = BaseTaskItem.configure({ nested: true }).extend({
  addAttributes() {
    return {
      checked: {
        default: false,
        keepOnSplit: false,
        parseHTML: (element: HTMLElement) => element.getAttribute('data-checked') === 'true',
        renderHTML: (attributes) => ({ 'data-checked': attributes.checked === true ? 'true' : 'false' }),
      },
    }
  },
  addNodeView() {
    return null
  },
  renderHTML({ node, HTMLAttributes }) {
    const box: Record<string, string> = { type: 'checkbox', 'aria-label': 'Done', tabindex: '-1' }
    if (node.attrs.checked === true) box.checked = ''
    return [
      'li',
      mergeAttributes(HTMLAttributes, { 'data-type': 'taskItem' }),
      ['label', { contenteditable: 'false' }, ['input', box]],
      ['div', 0],
    ]
  },
})
