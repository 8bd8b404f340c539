/**
 * Merges two people's edits of one title word by word. A word that either person deleted is
 * deleted. Words that either person typed are kept. If both typed in the same place, the words
 * recorded first come first.
 */

/** A word, or one letter of a script without spaces. `joined` is true if no space precedes it. */
type Word = { text: string; joined: boolean };

const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;
const words = new RegExp(`${unspaced.source}[\\p{M}ー]*|(?:(?!${unspaced.source})\\S)+`, "gu");

function wordsOf(title: string): Word[] {
  let end = 0;
  return [...title.matchAll(words)].map(({ 0: text, index }) => {
    const joined = index > 0 && index === end;
    end = index + text.length;
    return { text, joined };
  });
}

/** Returns a function for the length of the longest common subsequence of `a[i…]` and `b[j…]`. */
function commonLengths(a: readonly Word[], b: readonly Word[]): (i: number, j: number) => number {
  const width = b.length + 1;
  const table = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      table[i * width + j] =
        a[i]?.text === b[j]?.text
          ? (table[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(table[(i + 1) * width + j] ?? 0, table[i * width + j + 1] ?? 0);
    }
  }
  return (i, j) => table[i * width + j] ?? 0;
}

/**
 * One person's edit of a title: the words that were kept, and the words typed before each and at
 * the end.
 */
type Edit = { kept: boolean[]; typed: Word[][] };

function editOf(base: readonly Word[], title: readonly Word[]): Edit {
  const common = commonLengths(base, title);
  const edit: Edit = { kept: [], typed: [[]] };
  let [i, j] = [0, 0];
  while (i < base.length || j < title.length) {
    const word = title[j];
    if (i < base.length && word !== undefined && base[i]?.text === word.text) {
      edit.kept.push(true);
      edit.typed.push([]);
      [i, j] = [i + 1, j + 1];
    } else if (word !== undefined && (i === base.length || common(i, j + 1) >= common(i + 1, j))) {
      edit.typed.at(-1)?.push(word);
      j += 1;
    } else {
      edit.kept.push(false);
      edit.typed.push([]);
      i += 1;
    }
  }
  return edit;
}

/** Returns the words of both lists. A word that both have in the same order appears once. */
function both(first: readonly Word[], second: readonly Word[]): Word[] {
  const common = commonLengths(first, second);
  const all: Word[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [here, there] = [first[i], second[j]];
    if (here === undefined) return [...all, ...second.slice(j)];
    if (there !== undefined && here.text === there.text) {
      all.push(here);
      [i, j] = [i + 1, j + 1];
    } else if (there === undefined || common(i + 1, j) >= common(i, j + 1)) {
      all.push(here);
      i += 1;
    } else {
      all.push(there);
      j += 1;
    }
  }
}

function titleOf(merged: readonly Word[], sources: readonly (readonly Word[])[]): string {
  const neighbours = new Set(
    sources.flatMap((source) =>
      source.flatMap(({ text, joined }, index) =>
        joined ? [`${source[index - 1]?.text} ${text}`] : [],
      ),
    ),
  );
  return merged.reduce((title, { text, joined }, index) => {
    const before = merged[index - 1]?.text;
    if (before === undefined) return text;
    const isJoined =
      (joined && neighbours.has(`${before} ${text}`)) ||
      (unspaced.test(before) && unspaced.test(text));
    return `${title}${isJoined ? "" : " "}${text}`;
  }, "");
}

/**
 * Merges two concurrent edits of `base`: `recorded` is already in the log, and `typed` follows it.
 * Returns null if the result is longer than `most` code points.
 */
export function mergedTitle(
  base: string,
  typed: string,
  recorded: string,
  most: number,
): string | null {
  if (typed === base || typed === recorded) return recorded;
  if (recorded === base) return typed;
  const sources = [base, recorded, typed].map(wordsOf);
  const [common = [], theirs = [], mine = []] = sources;
  const [their, my] = [editOf(common, theirs), editOf(common, mine)];
  const merged = their.typed.flatMap((theirWords, index) => {
    const kept = common[index];
    const stays = kept !== undefined && their.kept[index] === true && my.kept[index] === true;
    return [...both(theirWords, my.typed[index] ?? []), ...(stays ? [kept] : [])];
  });
  const title = titleOf(merged, sources);
  return [...title].length > most ? null : title;
}
