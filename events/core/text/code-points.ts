/**
 * The first letters of a text, at most `most`, counted as the database counts them: no sign outside
 * the basic plane is cut in two, which no log takes.
 */
export function firstCodePoints(text: string, most: number): string {
  let end = 0;
  for (let count = 0; count < most && end < text.length; count += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
