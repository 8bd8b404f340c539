import { foldText, isGram, searchedRun } from "./folded-text";

/** A range of a text. `to` is exclusive. */
export type TextRange = { from: number; to: number };

/**
 * A searchable word, with each form that matches it and the place where that form begins. In
 * scripts without word breaks, one letter. `joins` is true if another letter follows it directly.
 */
type Unit = {
  forms: { word: string; from: number }[];
  to: number;
  isLetter: boolean;
  joins: boolean;
};
/** A search term: consecutive units. `isBeginning`: the last one may be a word's beginning. */
type Term = { units: Unit[]; isBeginning: boolean };

/** Longer words are compared by their first letters only. */
const longestWord = 40;
const mostTerms = 24;
/**
 * Arabic and Hebrew prefixes that are written together with the word. `private.search_vector` has
 * the same ones.
 */
const article = /^[وفبكل]?(ال|لل)(?=..)/u;
const particle = /^([והבלמשכ](?=[א-ת]{3})|[وفبكل](?=[ء-ي]{3}))/u;

const firstLetters = (word: string) => [...word].slice(0, longestWord).join("");

function unitsOf(content: string): Unit[] {
  const { text, places, ends } = foldText(content);
  return [...text.matchAll(searchedRun)].flatMap(({ 0: run, index }): Unit[] => {
    const placeOf = (at: number) => places[index + at] ?? 0;
    const endOf = (at: number) => ends[index + at] ?? 0;
    if (isGram(run)) {
      let at = 0;
      return [...run].map((letter) => {
        const from = at;
        at += letter.length;
        const forms = [{ word: letter, from: placeOf(from) }];
        return { forms, to: endOf(at - 1), isLetter: true, joins: at < run.length };
      });
    }
    const word = firstLetters(run);
    const before = (article.exec(word) ?? particle.exec(word))?.[0].length ?? 0;
    const forms = [{ word, from: placeOf(0) }];
    if (before > 0) forms.push({ word: word.slice(before), from: placeOf(before) });
    return [{ forms, to: endOf(run.length - 1), isLetter: false, joins: false }];
  });
}

/** Splits a query into its terms: words in any order, and quoted phrases. */
function termsOf(words: string): Term[] {
  const parts = [...words.replace(/[“”„‟«»＂]/gu, '"').matchAll(/"([^"]*)"?|([^"\s]+)/gu)];
  return parts.slice(0, mostTerms).flatMap(({ 1: quoted, 2: word }, index) => {
    const units = unitsOf(quoted ?? word ?? "");
    const last = [...(units.at(-1)?.forms[0]?.word ?? "")].length;
    const isBeginning = quoted === undefined && last >= (index === parts.length - 1 ? 2 : 3);
    return units.length === 0 ? [] : [{ units, isBeginning }];
  });
}

/** Returns where the form of a unit that matches a term's unit begins, or null if none matches. */
function formOf(unit: Unit | undefined, wanted: Unit, isBeginning: boolean): number | null {
  const word = wanted.forms[0]?.word ?? "";
  if (!unit || unit.isLetter !== wanted.isLetter || (wanted.joins && !unit.joins)) return null;
  const found = unit.forms.find((form) =>
    isBeginning && !wanted.isLetter ? form.word.startsWith(word) : form.word === word,
  );
  return found?.from ?? null;
}

function rangesOf(text: readonly Unit[], { units, isBeginning }: Term): TextRange[] {
  return text.flatMap((_, at): TextRange[] => {
    let from: number | null = null;
    for (const [index, wanted] of units.entries()) {
      const isLast = index === units.length - 1;
      const begins = formOf(text[at + index], wanted, isLast && isBeginning);
      if (begins === null) return [];
      from ??= begins;
    }
    const last = text[at + units.length - 1];
    if (from === null || !last) return [];
    return [{ from, to: last.to }];
  });
}

/**
 * Finds the searched words in a text. Returns whole words in text order without overlaps, or null
 * if a word is missing. Search in the database finds the same words.
 */
export function searchedWords(content: string, words: string): TextRange[] | null {
  const terms = termsOf(words);
  if (terms.length === 0) return null;
  const text = unitsOf(content);
  const found = terms.map((term) => rangesOf(text, term));
  if (found.some(({ length }) => length === 0)) return null;
  // If all terms occur in sequence, only the sequence is returned.
  const [isBeginning, units] = [
    terms.at(-1)?.isBeginning ?? false,
    terms.flatMap((term) => term.units),
  ];
  const inARow = terms.length > 1 ? rangesOf(text, { units, isBeginning }) : [];
  const ranges: TextRange[] = [];
  for (const range of (inARow.length > 0 ? inARow : found.flat()).sort(
    (one, other) => one.from - other.from,
  )) {
    const last = ranges.at(-1);
    if (last && range.from < last.to) last.to = Math.max(last.to, range.to);
    else ranges.push({ ...range });
  }
  return ranges;
}
