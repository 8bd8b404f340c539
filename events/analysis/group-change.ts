import { appendAll } from "@/events/core/append-all";
import { countWords } from "@/events/content/word-count";
import { movesOf } from "@/events/analysis/lineage/moves";
import { blockAt, revisionAt } from "@/events/history/timeline/text-page";
import type { PageNode, PageText } from "@/events/history/timeline/text-page";
import type { Timeline } from "@/events/history/timeline/timeline";

export type ExcerptRun = { text: string; state: "old" | "new" | "gone" };

/** One author's burst: the words inserted and deleted, and the place with most changes. */
export type GroupChange = {
  from: number;
  to: number;
  wordsIn: number;
  wordsOut: number;
  excerpt: ExcerptRun[];
  /** The index of the block with most changes, or null if nothing changed. */
  block: number | null;
  /** The last revision that moved words (a restore, an undo, a merge), if words were only moved. */
  moved: number | null;
};

const around = 46;
const longestExcerpt = 150;

/** Returns the text runs of a node, with words of different blocks in it (list items) separated. */
function texts(node: PageNode | PageText): PageText[] {
  if ("text" in node) return [node];
  const found: PageText[] = [];
  for (const child of node.content) {
    const own = texts(child);
    const last = found.at(-1);
    if (last && own.length > 0 && !("text" in child)) found.push({ ...last, text: " " });
    appendAll(found, own);
  }
  return found;
}

function runsOf(
  texts: PageText[],
  from: number,
  isMove: (revision: number) => boolean,
): ExcerptRun[] {
  const runs: ExcerptRun[] = [];
  for (const { text, born, died } of texts) {
    const isNew = born >= from && !isMove(born);
    const state = died !== null ? "gone" : isNew ? "new" : "old";
    const last = runs.at(-1);
    if (last?.state === state) last.text += text;
    else runs.push({ text, state });
  }
  return runs;
}

const wordsIn = (runs: ExcerptRun[], state: ExcerptRun["state"]) =>
  runs.filter((run) => run.state === state).reduce((sum, { text }) => sum + countWords(text), 0);

/** Returns the change with a few words around it, shortened to fit a card. */
function excerptOf(runs: ExcerptRun[]): ExcerptRun[] {
  const first = runs.findIndex(({ state }) => state !== "old");
  const shown: ExcerptRun[] = [];
  let remaining = longestExcerpt;
  for (const run of runs.slice(Math.max(0, first - 1))) {
    if (remaining <= 0) break;
    const before = shown.length === 0 && run.state === "old";
    const text =
      before && run.text.length > around
        ? `… ${run.text.slice(-around).replace(/^\S*\s/, "")}`
        : run.text.length > remaining
          ? `${run.text.slice(0, remaining).trimEnd()}…`
          : run.text;
    shown.push({ text, state: run.state });
    remaining -= text.length;
  }
  return shown;
}

/** Returns the changes of the text in the burst that contains a revision. */
export function groupChangeAt(timeline: Timeline, index: number): GroupChange {
  const from = timeline.groupBefore(index + 1);
  return changeBetween(timeline, from, Math.max(from, timeline.groupAfter(index) - 1));
}

/** Returns the last bursts of words up to a revision, within its session, newest first. */
export function groupChangesBefore(timeline: Timeline, index: number, most: number): GroupChange[] {
  const session = timeline.timingMap.sessions[timeline.timingMap.sessionOf(index)]?.from ?? 0;
  const changes: GroupChange[] = [];
  for (let to = index; to >= session && changes.length < most;) {
    const from = Math.min(to, Math.max(session, timeline.groupBefore(to + 1)));
    const change = changeBetween(timeline, from, to);
    if (change.block !== null) changes.push(change);
    to = from - 1;
  }
  return changes;
}

/** Returns the block of a move: the first standing block that changed, else the first of all. */
function movedBlock(timeline: Timeline, from: number, to: number): number | null {
  const standing = timeline.blocks.filter(({ born, died }) => born <= to && died > to);
  const changed = standing.find(
    ({ changes }) => revisionAt(changes, to) !== revisionAt(changes, from - 1),
  );
  return (changed ?? standing[0])?.index ?? null;
}

function changeBetween(timeline: Timeline, from: number, to: number): GroupChange {
  const { isMove } = movesOf(timeline);
  const tint = (born: number) => born >= from && !isMove(born);
  const changed = timeline.blocks
    .filter(({ changes }) => revisionAt(changes, to) !== revisionAt(changes, from - 1))
    .map((block) => ({
      block: block.index,
      runs: runsOf(
        blockAt(block, { at: to, struckSince: from - 1, isLeftOut: isMove, tint }).flatMap(texts),
        from,
        isMove,
      ),
    }));
  const weight = (runs: ExcerptRun[]) =>
    runs.reduce((sum, { text, state }) => (state === "old" ? sum : sum + text.length), 0);
  const most = changed.reduce<(typeof changed)[number]>(
    (best, each) => (weight(each.runs) > weight(best.runs) ? each : best),
    { block: 0, runs: [] },
  );
  const words = weight(most.runs) > 0;
  let moved = words ? null : to;
  while (moved !== null && !isMove(moved)) moved = moved > from ? moved - 1 : null;
  return {
    from,
    to,
    wordsIn: changed.reduce((sum, { runs }) => sum + wordsIn(runs, "new"), 0),
    wordsOut: changed.reduce((sum, { runs }) => sum + wordsIn(runs, "gone"), 0),
    excerpt: words ? excerptOf(most.runs) : [],
    block: words ? most.block : moved === null ? null : movedBlock(timeline, from, to),
    moved,
  };
}
