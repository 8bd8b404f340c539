import { Fragment } from "react";
import { searchedWords } from "@/events/core/text/searched-words";
import type { TextRange } from "@/events/core/text/searched-words";

/** The number of letters of a long text that are shown before the first match, and in total. */
const before = 100;
const most = 320;

/** Returns the range of a text around the matches, at word boundaries. */
function partOf(text: string, ranges: readonly TextRange[]): TextRange {
  const first = ranges[0] ?? { from: 0, to: 0 };
  if (text.length <= most) return { from: 0, to: text.length };
  const space = (at: number) => (/\s/u.test(text[at] ?? " ") ? 0 : text.slice(at).search(/\s/u));
  const wanted = Math.max(0, Math.min(first.from - before, text.length - most));
  const skipped = wanted === 0 ? 0 : space(wanted);
  const from = skipped < 0 || wanted + skipped > first.from ? wanted : wanted + skipped;
  const end = Math.max(first.to, from + most);
  if (end >= text.length) return { from, to: text.length };
  const cut = text.lastIndexOf(" ", end);
  return { from, to: cut >= first.to ? cut : end };
}

/** Shows a text with its matches marked. A long text is cut to the part around the matches. */
export function MarkedText({ text, words }: { text: string; words: string }) {
  const ranges = searchedWords(text, words) ?? [];
  const part = partOf(text, ranges);
  const shown = ranges.filter(({ from, to }) => from >= part.from && to <= part.to);
  return (
    <>
      {part.from > 0 && "… "}
      {shown.map(({ from, to }, index) => (
        <Fragment key={from}>
          {text.slice(shown[index - 1]?.to ?? part.from, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(shown.at(-1)?.to ?? part.from, part.to)}
      {part.to < text.length && " …"}
    </>
  );
}
