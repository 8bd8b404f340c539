/**
 * Returns the first `most` code points of a text, counted as the database counts them. Never splits
 * a surrogate pair, because the log refuses half of a pair.
 */
export function firstCodePoints(text: string, most: number): string {
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
