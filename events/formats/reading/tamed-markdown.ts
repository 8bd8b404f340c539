/**
 * The most marks in a paragraph. Parsing takes quadratic time in the number of marks, so in a
 * paragraph with more, all marks count as letters.
 */
export const mostMarks = 1_500;
/** The most nested quotations and lists. No text has more levels. */
const mostLevels = 64;

/** The most lines of a paragraph, which also take quadratic time. A longer paragraph is split. */
export const mostLines = 1_000;

const marks = /[*_~`[\]]/g;
/** A line that belongs to no paragraph before it: a table row, list item, heading, or HTML. */
const startsAlone = /^[\s>]*(?:\||[-*+]\s|\d{1,9}[.)]\s|#|<)/;
const fence = /^[\s>]*(`{3,}|~{3,})/;
/** The markers of quotations and lists at a line's beginning. */
const containers = /^(?:[ \t]*(?:>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+/;
const container = />|[-*+]|\d{1,9}[.)]/g;

const markSigns = "*_~`[]";
/** Noncharacters that stand in for literal marks while Markdown is parsed. No text has any. */
const firstStandIn = 0xfdd0;
const standIns = /[\ufdd0-\ufdd5]/g;

const hidden = (text: string) =>
  text.replace(marks, (mark) => String.fromCharCode(firstStandIn + markSigns.indexOf(mark)));

/** Restores the literal marks of a text. */
export function withMarks(text: string): string {
  return text.replace(standIns, (sign) => markSigns[sign.charCodeAt(0) - firstStandIn] ?? "");
}

/** Returns a line in which markers beyond the deepest level count as letters. */
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
 * Prepares Markdown so that it is parsed in linear time with all its words. In a paragraph with
 * excessively many marks, all marks become letters, and so do markers below the deepest level of a
 * text. `left` counts these cases. `withMarks` restores the characters after parsing.
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
