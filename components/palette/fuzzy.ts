import { go } from "fuzzysort";

/** A part of a text. `found` is true if the part matches the query. */
export type Piece = { text: string; found: boolean };
export type Found<T> = { item: T; pieces: readonly Piece[] };

/** Items that score lower match with too few or too scattered letters. */
const threshold = 0.3;

function piecesOf(text: string, indexes: readonly number[]): Piece[] {
  const found = new Set(indexes);
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const last = pieces.at(-1);
    const letter = text[at] ?? "";
    if (last?.found === found.has(at)) last.text += letter;
    else pieces.push({ text: letter, found: found.has(at) });
  }
  return pieces;
}

/** Whether each typed word is the beginning of one of these words. */
function beginWords(typed: string, words: string): boolean {
  const known = words.toLowerCase().split(/\s+/);
  const typedWords = typed.toLowerCase().trim().split(/\s+/);
  return typedWords.every((each) => known.some((word) => word.startsWith(each)));
}

/**
 * Returns at most `limit` items that match the query, best first. Items that match by their text
 * precede items that match only by their other words. Without a query, returns the first items in
 * order.
 */
export function fuzzy<T>(
  typed: string,
  items: readonly T[],
  textOf: (item: T) => string,
  { limit, wordsOf }: { limit: number; wordsOf?: (item: T) => string },
): Found<T>[] {
  const plain = (item: T): Found<T> => ({ item, pieces: [{ text: textOf(item), found: false }] });
  if (typed.trim() === "") return items.slice(0, limit).map(plain);
  const byText = go(typed, items, { key: textOf, limit, threshold }).map(
    ({ obj, target, indexes }): Found<T> => ({ item: obj, pieces: piecesOf(target, indexes) }),
  );
  if (wordsOf === undefined || byText.length >= limit) return byText;
  const known = new Set(byText.map(({ item }) => item));
  const byWords = items.filter((item) => !known.has(item) && beginWords(typed, wordsOf(item)));
  return [...byText, ...byWords.slice(0, limit - byText.length).map(plain)];
}
