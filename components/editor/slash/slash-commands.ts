import type { Editor } from "@tiptap/core";
import { askForFiles } from "../files/files";
import { insertTable } from "@/events/content/tables";
import type { BlockKindId } from "../turning/block-turning";

/** A block of the slash menu, with its name, its search aliases, and its typed shortcut. */
export type SlashCommand = {
  id: string;
  name: string;
  aliases: string[];
  typed: string;
  run: (editor: Editor) => unknown;
};

const turn = (kind: BlockKindId) => (editor: Editor) =>
  editor.storage.turningKeys.commands?.turnBlocks(editor, kind);

/** The blocks in menu order. */
const slashCommands: SlashCommand[] = [
  {
    id: "text",
    name: "Text",
    aliases: ["paragraph", "plain", "p"],
    typed: "",
    run: turn("text"),
  },
  {
    id: "heading-1",
    name: "Heading",
    aliases: ["h1", "title", "heading 1", "section"],
    typed: "# space",
    run: turn("heading-1"),
  },
  {
    id: "heading-2",
    name: "Subheading",
    aliases: ["h2", "heading 2"],
    typed: "## space",
    run: turn("heading-2"),
  },
  {
    id: "heading-3",
    name: "Small heading",
    aliases: ["h3", "heading 3"],
    typed: "### space",
    run: turn("heading-3"),
  },
  {
    id: "bullets",
    name: "Bulleted list",
    aliases: ["bullet", "unordered", "ul", "points"],
    typed: "- space",
    run: turn("bullets"),
  },
  {
    id: "numbers",
    name: "Numbered list",
    aliases: ["ordered", "ol", "steps"],
    typed: "1. space",
    run: turn("numbers"),
  },
  {
    id: "tasks",
    name: "To-do list",
    aliases: ["task", "todo", "check", "checkbox"],
    typed: "[] space",
    run: turn("tasks"),
  },
  {
    id: "quote",
    name: "Quotation",
    aliases: ["quote", "blockquote", "citation"],
    typed: "> space",
    run: turn("quote"),
  },
  {
    id: "code",
    name: "Code",
    aliases: ["code block", "pre", "program", "monospace"],
    typed: "``` space",
    run: turn("code"),
  },
  {
    id: "table",
    name: "Table",
    aliases: ["grid", "rows", "columns"],
    typed: "",
    run: insertTable,
  },
  {
    id: "image",
    name: "Image",
    aliases: ["picture", "photo", "upload"],
    typed: "",
    run: (editor) => askForFiles(editor, "image"),
  },
  {
    id: "file",
    name: "File",
    aliases: ["attachment", "document file", "upload", "pdf"],
    typed: "",
    run: (editor) => askForFiles(editor, "file"),
  },
  {
    id: "document",
    name: "Link to document",
    aliases: ["page", "mention", "reference", "document link"],
    typed: "[[",
    // Opens the list of documents, as if `[[` had been typed.
    run: (editor) => editor.chain().focus().insertContent("[[").run(),
  },
  {
    id: "rule",
    name: "Divider",
    aliases: ["horizontal rule", "hr", "line", "separator"],
    typed: "---",
    run: (editor) => editor.chain().focus().setHorizontalRule().run(),
  },
];

function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Returns the commands that match the text after the slash, best match first. */
export function matchingCommands(query: string): SlashCommand[] {
  const needle = folded(query.trim());
  if (needle === "") return slashCommands;
  const rank = ({ name, aliases }: SlashCommand) => {
    const names = [name, ...aliases].map(folded);
    if (names.some((one) => one === needle)) return 0;
    if (folded(name).startsWith(needle)) return 1;
    if (names.some((one) => one.startsWith(needle))) return 2;
    return names.some((one) => one.includes(` ${needle}`)) ? 3 : 4;
  };
  return slashCommands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((entry) => entry.rank < 4)
    .sort((one, other) => one.rank - other.rank)
    .map((entry) => entry.command);
}
