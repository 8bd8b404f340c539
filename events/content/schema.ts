import { getSchema } from "@tiptap/core";
import type { Extensions } from "@tiptap/core";
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
 * No attribute of any node or mark has a throwing `validate`. Yjs bindings delete content for
 * everyone if it throws while it becomes a node. Instead, values are clamped when rendered, and
 * content-guard.ts keeps values that could crash an editor from reaching one.
 */

/**
 * The version of the document schema below, sent with every `document.edited`. A client that finds
 * a higher version in the log must not bind an editor, because Yjs bindings delete content that
 * their schema does not know. events/content/text-schema.ts repeats the schema without an editor,
 * and every reader validates the log against that copy.
 */
export const schemaVersion = newestSchema;

/**
 * The only list of a document's node and mark types. The editor, the player and server rendering
 * share it.
 */
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

/** The ProseMirror schema of a document, built without a browser. */
export const documentSchema = getSchema(documentExtensions);
