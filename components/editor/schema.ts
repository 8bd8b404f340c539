import { type Extensions, getSchema } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Italic } from '@tiptap/extension-italic'
import { BulletList, ListItem, TaskList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { CodeBlock, Heading, OrderedList, TaskItem } from './blocks'
import { Link } from './link'
import { Table, TableCell, TableHeader, TableRow } from './tables'

/**
 * The version of the document schema below. It travels in every `document.edited`; a client that finds a higher one
 * in the log must not bind an editor, because Yjs bindings delete what their schema does not know. Raise it with
 * every new node, mark or attribute.
 */
export const schemaVersion = 1

/** The one list of what a document's text may hold: the editor, the player and the server's rendering all use it. */
export const documentExtensions: Extensions = [
  Document,
  Paragraph,
  Text,
  Heading,
  Bold,
  Italic,
  Underline,
  Strike,
  Code,
  Link,
  BulletList,
  OrderedList,
  ListItem,
  TaskList,
  TaskItem,
  Blockquote,
  CodeBlock,
  HorizontalRule,
  HardBreak,
  Table,
  TableRow,
  TableHeader,
  TableCell,
]

/** The ProseMirror schema of a document, made without a browser. */
export const documentSchema = getSchema(documentExtensions)
