import { countWords } from "@/events/content/word-count";
import type { LinePart } from "@/events/read-models/change-lines";
import type { WordChange } from "./changed-words";
import { quoteOf, sectionOf, wholeQuote } from "./quote";

/** The most parts of a line. */
const mostParts = 2;
/**
 * Words count as rewritten if the smaller of the written and deleted numbers is at least this share
 * of the larger.
 */
const rewritten = 0.25;

type Weighed = { part: LinePart; weight: number; at: number };

/** The words written and deleted under one heading, without changes that have their own part. */
type Sum = { section: string; added: string[]; removed: string[]; at: number };

const countAll = (texts: readonly string[]) =>
  texts.reduce((sum, text) => sum + countWords(text), 0);

/** Counts the written and the deleted words in some changes. */
export function wordsChanged(changes: readonly WordChange[]): { added: number; removed: number } {
  const written = changes.filter(({ kind }) => kind === "words");
  return {
    added: countAll(written.map((change) => change.in)),
    removed: countAll(written.map(({ out }) => out)),
  };
}

function partOfSum({ section: heading, added, removed, at }: Sum): Weighed {
  const section = sectionOf(heading);
  const [came, gone] = [countAll(added), countAll(removed)];
  const weight = came + gone;
  const [less, more] = [Math.min(came, gone), Math.max(came, gone)];
  if (less > 0 && less >= more * rewritten)
    return { part: { kind: "rewrote", words: more, section }, weight, at };
  const isAdded = came >= gone;
  const texts = isAdded ? added : removed;
  const quote = texts.length === 1 ? wholeQuote(texts[0] ?? "") : null;
  const kind = isAdded ? ("added" as const) : ("removed" as const);
  return { part: { kind, words: more, quote, section }, weight, at };
}

/**
 * Returns the part and weight of a change that gets a part of its own. Null for a change that is
 * counted with others under its heading.
 */
function partOf(change: WordChange): { part: LinePart; weight: number } | null {
  const section = sectionOf(change.section);
  const [out, now] = [wholeQuote(change.out), wholeQuote(change.in)];
  const words = countWords(change.in);
  switch (change.kind) {
    case "words":
      if (out === null || now === null) return null;
      return {
        part: { kind: "replaced", out, in: now, section },
        weight: countWords(out) + countWords(now),
      };
    case "moved":
      return { part: { kind: "moved", words, quote: now, section }, weight: words };
    case "formatted":
      return { part: { kind: "formatted", words, quote: now, section }, weight: 0.5 };
    case "retyped":
      return {
        part: { kind: "retyped", to: change.to ?? "", quote: quoteOf(change.in), section },
        weight: 0.75,
      };
    case "arranged":
      return { part: { kind: "arranged", section }, weight: 0.25 };
  }
}

/** Summarizes one person's changes in the few parts that a line has, the largest first. */
export function linePartsOf(changes: readonly WordChange[]): LinePart[] {
  const weighed: Weighed[] = [];
  const sums = new Map<string, Sum>();
  for (const [at, change] of changes.entries()) {
    const own = partOf(change);
    if (own) {
      weighed.push({ ...own, at });
      continue;
    }
    const { section } = change;
    const sum = sums.get(section) ?? { section, added: [], removed: [], at };
    sums.set(section, sum);
    if (change.in !== "") sum.added.push(change.in);
    if (change.out !== "") sum.removed.push(change.out);
  }
  for (const sum of sums.values()) weighed.push(partOfSum(sum));
  const parts = weighed
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, mostParts)
    .map(({ part }) => part);
  return parts.length > 0 ? parts : [{ kind: "nothing" }];
}
