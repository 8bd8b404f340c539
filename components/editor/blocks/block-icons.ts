import {
  Code,
  FileSymlink,
  Image,
  Paperclip,
  Heading1,
  Heading2,
  Heading3,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Table,
  TextQuote,
  Type,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";

/** The icons of blocks, by the block's id in the menus. */
export const blockIcons: Readonly<Record<string, LucideIcon>> = {
  text: Type,
  "heading-1": Heading1,
  "heading-2": Heading2,
  "heading-3": Heading3,
  bullets: List,
  numbers: ListOrdered,
  tasks: ListChecks,
  quote: TextQuote,
  code: Code,
  table: Table,
  image: Image,
  file: Paperclip,
  document: FileSymlink,
  rule: Minus,
};
