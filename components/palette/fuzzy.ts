import { go } from "fuzzysort";

/** A part of a text, and whether it is what was looked for. */
export type Piece = { text: string; found: boolean };
export type Found<T> = { item: T; pieces: readonly Piece[] };

/** Fewer letters that fit, or letters further apart, are no match that anybody meant. */
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

/** Whether each word that was typed begins one of these. */
function beginWords(typed: string, words: string): boolean {
  const known = words.toLowerCase().split(/\s+/);
  const typedWords = typed.toLowerCase().trim().split(/\s+/);
  return typedWords.every((each) => known.some((word) => word.startsWith(each)));
}

/**
 * The items whose text fits what was typed, best first, at most `limit`; without anything typed the
 * first ones as they are. What fits only an item's other words comes after what fits its text.
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
