import { type Extensions, getSchema } from "@tiptap/core";
import { Blockquote } from "@tiptap/extension-blockquote";
import { Bold } from "@tiptap/extension-bold";
import { Code } from "@tiptap/extension-code";
import { Document } from "@tiptap/extension-document";
import { HardBreak } from "@tiptap/extension-hard-break";
import { HorizontalRule } from "@tiptap/extension-horizontal-rule";
import { Italic } from "@tiptap/extension-italic";
import { BulletList } from "@tiptap/extension-list/bullet-list";
import { ListItem } from "@tiptap/extension-list/item";
import { TaskList } from "@tiptap/extension-list/task-list";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Strike } from "@tiptap/extension-strike";
import { Text } from "@tiptap/extension-text";
import { Underline } from "@tiptap/extension-underline";
import { newestSchema } from "./text-schema";
import { CodeBlock } from "./code-block";
import { DocumentLink } from "./document-link";
import { FileBlock, Image } from "./file-nodes";
import { Heading } from "./heading";
import { Link } from "./link";
import { OrderedList, TaskItem } from "./lists";
import { Table, TableCell, TableHeader, TableRow } from "./tables";

/*
 * No attribute of any node or mark has a throwing `validate`: Yjs bindings delete, for everybody,
 * whatever throws while it is made into a node. Every value is brought within bounds where it is
 * rendered instead, and content-guard.ts keeps what could crash an editor from reaching one.
 */

/**
 * The version of the document schema below. It travels in every `document.edited`; a client that
 * finds a higher one in the log must not bind an editor, because Yjs bindings delete what their
 * schema does not know. What the schema holds stands once more in events/content/text-schema.ts,
 * without an editor: by that every reader judges what the log brings.
 */
export const schemaVersion = newestSchema;

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
  DocumentLink,
  Image,
  FileBlock,
  Table,
  TableRow,
  TableHeader,
  TableCell,
];

/** The ProseMirror schema of a document, made without a browser. */
export const documentSchema = getSchema(documentExtensions);
