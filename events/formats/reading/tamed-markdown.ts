/** A reader of Markdown takes the square of these marks in a paragraph: of more, they are taken for letters. */
export const mostMarks = 1_500;
/** So many quotations and lists stand within each other at most: a text has no more levels. */
const mostLevels = 64;

/** A paragraph of more lines comes as several: reading it takes the square of these, too. */
export const mostLines = 1_000;

const marks = /[*_~`[\]]/g;
/** Where a line begins that belongs to no paragraph before it: a row of a table, an item, a heading, or HTML. */
const startsAlone = /^[\s>]*(?:\||[-*+]\s|\d{1,9}[.)]\s|#|<)/;
const fence = /^[\s>]*(`{3,}|~{3,})/;
/** The signs of quotations and lists that a line begins with. */
const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const container = />|[-*+]|\d{1,9}[.)]/g;

const markSigns = "*_~`[]";
/** Code points that no text has: a mark that is to stay a letter is one of these while Markdown is read. */
const firstStandIn = 0xfdd0;
const standIns = /[\ufdd0-\ufdd5]/g;

const hidden = (text: string) =>
  text.replace(marks, (mark) => String.fromCharCode(firstStandIn + markSigns.indexOf(mark)));

/** The marks of a text that were letters while it was read. */
export function withMarks(text: string): string {
  return text.replace(standIns, (sign) => markSigns[sign.charCodeAt(0) - firstStandIn] ?? "");
}

/** A line whose signs beyond the deepest level are taken for letters. */
function withoutDepth(line: string): string {
  const [signs = ""] = containers.exec(line) ?? [];
  let levels = 0;
  for (const { index } of signs.matchAll(container)) {
    levels += 1;
    if (levels > mostLevels) return `${line.slice(0, index)}\\${line.slice(index)}`;
  }
  return line;
}

/**
 * Markdown that is read in a time by its length, with all of its words: where a paragraph has more
 * marks than anybody writes, or signs of more levels than a text has, those stay letters. `left`
 * hears how often. The marks stand for themselves again once `withMarks` was asked for what was read.
 */
export function tamedMarkdown(
  markdown: string,
  left: (what: string, count?: number) => void,
): string {
  const lines = markdown.split("\n");
  let paragraph: number[] = [];
  let count = 0;
  let open: string | null = null;
  let tamed = 0;
  const end = () => {
    if (count > mostMarks) {
      for (const at of paragraph) lines[at] = hidden(lines[at] ?? "");
      tamed += 1;
    }
    paragraph = [];
    count = 0;
  };
  for (const [at, line] of lines.entries()) {
    const [, sign = ""] = fence.exec(line) ?? [];
    if (open !== null) {
      if (sign.startsWith(open)) open = null;
      continue;
    }
    if (sign !== "") {
      end();
      open = sign;
      continue;
    }
    if (line.trim() === "" || startsAlone.test(line)) end();
    const shallow = withoutDepth(line);
    if (shallow !== line) tamed += 1;
    const isFull = paragraph.length === mostLines;
    if (isFull) end();
    lines[at] = isFull ? `\n${shallow}` : shallow;
    paragraph.push(at);
    count += line.match(marks)?.length ?? 0;
  }
  end();
  if (tamed > 0) left("paragraphs with too many marks, which came as plain text", tamed);
  return lines.join("\n");
}
