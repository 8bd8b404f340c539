const longest = 60;

/** Shortens the quoted words of a thread to one line. */
export function quoteWords(quote: string): string {
  const line = quote.replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= longest
    ? line
    : `${letters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`;
}

/** Formats a number of comments: "2 comments", "1 comment". */
export function countWords(count: number): string {
  return count === 1 ? "1 comment" : `${count} comments`;
}

/** Formats a number of replies, `fresh` of them new: "3 replies, 1 new", "1 new reply". */
export function answerWords(count: number, fresh: number): string {
  const replies = count === 1 ? "reply" : "replies";
  if (fresh === count) return `${count} new ${replies}`;
  return `${count} ${replies}${fresh > 0 ? `, ${fresh} new` : ""}`;
}
