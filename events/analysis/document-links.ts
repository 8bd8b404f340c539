import { targetOf } from "@/events/content/document-link";
import { never } from "@/events/crdt/updates/lifespans";
import type { Block, HistoryElement, Textblock } from "@/events/history/timeline/full-history-text";
import { attributesAt } from "@/events/history/timeline/text-page";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * A link to a document with the words around it, as they stood from the revision `from` to before
 * the revision `until`.
 */
type LinkState = {
  /** The linked document. */
  target: string;
  /** The key of the block that contains the link. */
  block: string;
  /** The number of the link among all links that ever stood in its document. */
  link: number;
  from: number;
  /** Null if the state still stands. */
  until: number | null;
  before: string;
  after: string;
};

/** After this time without a change, in milliseconds, a sentence counts as finished. */
const settledAfter = 2 * 60_000;
/** The most letters kept on each side of a link. */
const mostLetters = 160;
/** Placeholder for another link in the sentence, because its document has a title of its own. */
const otherLink = "\ufffc";
const shown = (words: string) => words.replaceAll(otherLink, "…");

function textOf({ pieces }: Textblock, at: number): string {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind !== "textRun") continue;
    const { born, died } = piece;
    for (const [index, letter] of piece.text.split("").entries())
      if ((born[index] ?? never) <= at && (died[index] ?? 0) > at) text += letter;
  }
  return text;
}

function wordsOf(nodes: readonly (HistoryElement | Textblock)[], at: number): string {
  return nodes
    .map((node) => {
      if (node.born > at || node.died <= at) return "";
      if (node.kind === "textblock") return textOf(node, at);
      return node.name === "documentLink" ? otherLink : " ";
    })
    .join("");
}

/** Returns a text's last sentence, shortened between words. */
function lastSentence(text: string): string {
  const begin = Math.max(
    ...[...text.matchAll(/[.!?…。！？]["”’»)]*\s/gu)].map(
      ({ index, 0: end }) => index + end.length,
    ),
    0,
  );
  const sentence = text.slice(begin).trimStart();
  if (sentence.length <= mostLetters) return sentence;
  // The cut must not split a surrogate pair.
  const cut = sentence.slice(-mostLetters).replace(/^\p{Cs}/u, "");
  return `…${cut.slice(cut.indexOf(" ") + 1)}`;
}

/** Returns a text's first sentence, shortened between words. */
function firstSentence(text: string): string {
  const end = /[.!?…。！？]["”’»)]*(?=\s|$)/u.exec(text);
  const sentence = end ? text.slice(0, end.index + end[0].length) : text;
  if (sentence.length <= mostLetters) return sentence.trimEnd();
  const cut = sentence.slice(0, mostLetters).replace(/\p{Cs}$/u, "");
  return `${cut.slice(0, Math.max(0, cut.lastIndexOf(" ")))}…`;
}

type Found = { link: HistoryElement; line: HistoryElement };

function linksIn(node: HistoryElement | Textblock, into: Found[] = []): Found[] {
  if (node.kind === "textblock") return into;
  for (const child of node.children)
    if (child.kind === "element" && child.name === "documentLink")
      into.push({ link: child, line: node });
    else linksIn(child, into);
  return into;
}

/** Returns the successive states of a link and the words around it. */
function statesOf(
  timeline: Timeline,
  block: Block,
  { link, line }: Found,
  place: number,
): LinkState[] {
  const { born, died } = link;
  const last = Math.min(died, timeline.length) - 1;
  const target = targetOf(attributesAt(link.attributes, last));
  if (target === null || died <= born) return [];
  const within = [...block.changes].filter((each) => each > born && each <= last);
  const changes = [born, ...within];
  const at = line.children.indexOf(link);
  const states: LinkState[] = [];
  let from = born;
  for (const [index, revision] of changes.entries()) {
    const next = changes[index + 1];
    if (next !== undefined && !isSettled(timeline, revision, next)) continue;
    const before = shown(lastSentence(wordsOf(line.children.slice(0, at), revision)));
    const after = shown(firstSentence(wordsOf(line.children.slice(at + 1), revision)));
    const known = states.at(-1);
    if (known?.before !== before || known.after !== after) {
      if (known) known.until = from;
      const words = { before, after };
      states.push({
        target: target.document,
        block: block.key,
        link: place,
        from,
        until: null,
        ...words,
      });
    }
    from = next ?? from;
  }
  const end = states.at(-1);
  if (end && died !== never) end.until = died;
  return states;
}

/** Whether a state is final: the next change is by another author, or after a pause. */
function isSettled(timeline: Timeline, revision: number, next: number): boolean {
  return (
    timeline.authorOf(next) !== timeline.authorOf(revision) ||
    timeline.timeOf(next) - timeline.timeOf(revision) >= settledAfter
  );
}

/** Returns every link to another document that ever stood in a text, in page order. */
export function linksOf(timeline: Timeline): LinkState[] {
  let place = 0;
  return timeline.blocks.flatMap((block) =>
    linksIn(block.node).flatMap((found) => statesOf(timeline, block, found, (place += 1))),
  );
}
