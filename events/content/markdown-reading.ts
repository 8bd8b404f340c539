import type { Node } from "@tiptap/pm/model";
import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { MarkdownParser } from "prosemirror-markdown";
import type { ParseSpec } from "prosemirror-markdown";
import { safeAddress } from "./safe-address";
import { documentSchema } from "./schema";
import { bounds, within } from "./text-schema";

/** Lines of at least this length were wrapped by a program, not by their author. */
const brokenByWidth = 60;

// This preset nests blocks at most twenty levels deep, far fewer than a text may have.
const markdown = new MarkdownIt("commonmark", { html: false, linkify: true });
markdown.enable(["table", "strikethrough", "linkify"]);
markdown.validateLink = (address) => safeAddress(address) !== null;
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });

type State = Parameters<Parameters<typeof markdown.core.ruler.push>[1]>[0];

const taskSign = /^\[([ xX])\] +/;

/** Returns the token indices of a list's items, given the index of the list's opening token. */
function itemsOf(tokens: readonly Token[], list: number): number[] {
  const level = tokens[list]?.level ?? 0;
  const items: number[] = [];
  for (let at = list + 1; at < tokens.length && (tokens[at]?.level ?? 0) > level; at += 1) {
    const { type, level: depth } = tokens[at] ?? {};
    if (type === "list_item_open" && depth === level + 1) items.push(at);
  }
  return items;
}

/** Returns the token of the words that an item begins with. */
function wordsOf(tokens: readonly Token[], item: number): Token | null {
  return tokens[item + 1]?.type === "paragraph_open" ? (tokens[item + 2] ?? null) : null;
}

/** Returns the closing token of an opening token. */
function endOf(tokens: readonly Token[], begin: number): Token | null {
  const level = tokens[begin]?.level ?? 0;
  let end = begin + 1;
  while (end < tokens.length && (tokens[end]?.level ?? 0) > level) end += 1;
  return tokens[end] ?? null;
}

/** Renames an opening token and its closing token. */
function rename(tokens: readonly Token[], begin: number, name: string): void {
  const [open, close] = [tokens[begin], endOf(tokens, begin)];
  if (open) open.type = `${name}_open`;
  if (close) close.type = `${name}_close`;
}

/**
 * Turns items with a checkbox into tasks. A mixed list becomes several lists, so that plain items
 * stay plain.
 */
function readTasks(state: State): void {
  const { tokens, Token } = state;
  /** The tokens to insert before a token, by the index of that token. */
  const before = new Map<number, Token[]>();
  tokens.forEach((list, index) => {
    if (list.type !== "bullet_list_open") return;
    const items = itemsOf(tokens, index);
    const signs = items.map((item) => taskSign.exec(wordsOf(tokens, item)?.content ?? ""));
    items.forEach((item, at) => {
      const sign = signs[at] ?? null;
      const first = wordsOf(tokens, item)?.children?.[0];
      if (sign && first) first.content = first.content.replace(taskSign, "");
      const open = tokens[item];
      if (open && sign) open.meta = { checked: sign[1] !== " " };
      if (sign) rename(tokens, item, "task_item");
      const isOther = at > 0 && (sign === null) !== ((signs[at - 1] ?? null) === null);
      if (isOther)
        before.set(item, [listEnd(Token, signs[at - 1] ?? null), listBegin(Token, sign)]);
    });
    const [first = null] = signs;
    const last = signs.at(-1) ?? null;
    rename(tokens, index, first === null ? "bullet_list" : "task_list");
    // `endOf` finds the list's original closing token, which now ends the last of the new lists.
    const end = endOf(tokens, index);
    if (end) end.type = `${last === null ? "bullet_list" : "task_list"}_close`;
  });
  if (before.size > 0)
    state.tokens = tokens.flatMap((token, index) => [...(before.get(index) ?? []), token]);
}

type Tokens = State["Token"];
const listName = (sign: RegExpExecArray | null) => (sign === null ? "bullet_list" : "task_list");
const listBegin = (Made: Tokens, sign: RegExpExecArray | null) =>
  new Made(`${listName(sign)}_open`, "ul", 1);
const listEnd = (Made: Tokens, sign: RegExpExecArray | null) =>
  new Made(`${listName(sign)}_close`, "ul", -1);

/** Wraps the content of table cells in paragraphs, because cells contain blocks in this schema. */
function readCells(state: State): void {
  const { Token } = state;
  state.tokens = state.tokens.flatMap((token) => {
    if (token.type === "th_open" || token.type === "td_open")
      return [token, new Token("paragraph_open", "p", 1)];
    if (token.type === "th_close" || token.type === "td_close")
      return [new Token("paragraph_close", "p", -1), token];
    return [token];
  });
}

/** Turns images into links to them, and line breaks after short lines into hard breaks. */
function readWords({ tokens, Token }: State): void {
  for (const block of tokens) {
    if (block.children === null) continue;
    let letters = 0;
    block.children = block.children.flatMap((token) => {
      letters += token.content.length;
      if (token.type === "softbreak") {
        if (letters < brokenByWidth) token.type = "hardbreak";
        letters = 0;
      }
      if (token.type !== "image") return [token];
      const [open, words, close] = [
        new Token("link_open", "a", 1),
        new Token("text", "", 0),
        new Token("link_close", "a", -1),
      ];
      const source = token.attrGet("src") ?? "";
      open.attrs = [["href", source]];
      words.content = token.content === "" ? source : token.content;
      return [open, words, close];
    });
  }
}

markdown.core.ruler.push("tasks", readTasks);
markdown.core.ruler.push("cells", readCells);
markdown.core.ruler.push("words", readWords);

const languageOf = ({ info }: Token) => /^[\w+#.-]{1,32}/.exec(info.trim())?.[0] ?? null;

const specs: Record<string, ParseSpec> = {
  paragraph: { block: "paragraph" },
  heading: {
    block: "heading",
    getAttrs: ({ tag }) => ({ level: Math.min(3, within(Number(tag.slice(1)), bounds.level)) }),
  },
  blockquote: { block: "blockquote" },
  bullet_list: { block: "bulletList" },
  ordered_list: {
    block: "orderedList",
    getAttrs: (token) => ({ start: within(Number(token.attrGet("start") ?? 1), bounds.start) }),
  },
  list_item: { block: "listItem" },
  task_list: { block: "taskList" },
  task_item: {
    block: "taskItem",
    getAttrs: (token: { meta?: { checked?: boolean } }) => ({
      checked: token.meta?.checked === true,
    }),
  },
  code_block: { block: "codeBlock", noCloseToken: true },
  fence: {
    block: "codeBlock",
    getAttrs: (token) => ({ language: languageOf(token) }),
    noCloseToken: true,
  },
  hr: { node: "horizontalRule" },
  table: { block: "table" },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: "tableRow" },
  th: { block: "tableHeader" },
  td: { block: "tableCell" },
  hardbreak: { node: "hardBreak" },
  em: { mark: "italic" },
  strong: { mark: "bold" },
  s: { mark: "strike" },
  code_inline: { mark: "code", noCloseToken: true },
  link: { mark: "link", getAttrs: (token) => ({ href: safeAddress(token.attrGet("href")) }) },
};

const parser = new MarkdownParser(documentSchema, markdown, specs);

/**
 * The most letters that linkify may visit. It searches each address through the whole run of
 * letters around it.
 */
const mostLookedAt = 5_000_000;

/** Whether the time to find a text's addresses stays linear in its length. */
function hasFewAddresses(text: string): boolean {
  let work = 0;
  for (const [run] of text.matchAll(/\S{1000,}/g))
    work += run.length * (run.match(/\/\/|mailto:/gi)?.length ?? 0);
  return work <= mostLookedAt;
}

/**
 * Parses Markdown into a text. Characters without a meaning in Markdown stay letters. Addresses
 * also stay letters if very many follow each other without spaces.
 */
export function readMarkdown(text: string): Node {
  markdown.set({ linkify: hasFewAddresses(text) });
  return parser.parse(text);
}

/** Whether a text has any mark, or any block other than plain paragraphs. */
export function saysMore(text: Node): boolean {
  let more = false;
  text.descendants((node) => {
    more ||= node.isText ? node.marks.length > 0 : node.isBlock && node.type.name !== "paragraph";
    return !more;
  });
  return more;
}
