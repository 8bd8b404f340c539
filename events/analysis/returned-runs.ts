import { bodyOf } from "@/events/core/recorded-body";
import { bornStep } from "@/events/history/timeline/life-runs";
import { type RewrittenRun } from "./rewritten-runs";
import { type Script } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** An event that brought back what had gone: its revisions, and which of what was gone by then it may have meant. */
type Return = { first: number; last: number; means: (born: number, died: number) => boolean };
type Copies = { revision: number; at: number; length: number };

/** So many characters that may have been meant, and were not, are passed over before a copy is given up. */
const mostPassed = 4_096;

function returnsOf({ marks, ofVersion }: Pick<Timeline, "marks" | "ofVersion">): Return[] {
  return marks.flatMap((mark): Return[] => {
    const { version, revision } = mark;
    const reworked = bodyOf(mark, "document.reworked");
    const from = reworked?.from ?? null;
    const then = bodyOf(mark, "document.reverted")?.toVersion ?? reworked?.to;
    const first = ofVersion(version - 1) + 1;
    // The database holds such an event to versions that had been reached before it.
    if (then === undefined || then >= version || first > revision) return [];
    const until = ofVersion(then);
    const since = ofVersion((from ?? then) - 1);
    // What one person did is taken back by what went then, a revision by what stood in it.
    const means =
      from === null
        ? (born: number, died: number) => born <= until && died > since
        : (_: number, died: number) => died > since && died <= until;
    return [{ first, last: revision, means }];
  });
}

/** What some revisions brought, as stretches without gaps. */
function copiesOf(
  {
    historyText: {
      columns: { runs },
    },
  }: Pick<Timeline, "historyText">,
  isReturn: Uint8Array,
): Copies[] {
  const found: Copies[] = [];
  const take = (revision: number, at: number, length: number) => {
    if (isReturn[revision] !== 1) return;
    const last = found.at(-1);
    if (last?.revision === revision && last.at + last.length === at) last.length += length;
    else found.push({ revision, at, length });
  };
  for (let run = 0; run < runs.start.length; run += 1) {
    const [revision, from, to] = [
      runs.born[run] ?? 0,
      runs.start[run] ?? 0,
      runs.start[run + 1] ?? runs.length,
    ];
    const step = bornStep(runs.steps[run] ?? 0);
    if (step === 0) take(revision, from, to - from);
    else for (let at = from; at < to; at += 1) take(revision + (at - from) * step, at, 1);
  }
  return found;
}

/**
 * The characters that a stretch was copied from, last first: what returns stands right behind the
 * place where it stood.
 */
function sourcesOf(
  { revision, at, length }: Copies,
  { textblocks, placeAt }: Script,
  means: Return["means"],
): number[] | null {
  const found: number[] = [];
  const letterOf = (place: number) => {
    const { textblock, offset } = placeAt(place);
    return textblocks[textblock]?.text[offset];
  };
  let passed = 0;
  for (
    let place = at - 1;
    place >= 0 && found.length < length && passed < mostPassed + length;
    place -= 1
  ) {
    const { textblock, offset } = placeAt(place);
    const own = textblocks[textblock];
    const [born, died] = [own?.born[offset] ?? 0, own?.died[offset] ?? 0];
    if (born >= revision || died > revision) continue;
    if (means(born, died) && own?.text[offset] === letterOf(at + length - 1 - found.length))
      found.push(place);
    else passed += 1;
  }
  return found.length === length ? found : null;
}

/**
 * What an event that restores, brings back or takes back wrote again of what had gone at an earlier one, character by
 * character behind what it was copied from. Earliest first.
 */
export function returnedRuns(timeline: Timeline, script: Script): RewrittenRun[] {
  const returns = returnsOf(timeline);
  if (returns.length === 0) return [];
  const isReturn = new Uint8Array(timeline.length);
  for (const { first, last } of returns) isReturn.fill(1, first, last + 1);
  const found: RewrittenRun[] = [];
  for (const copies of copiesOf(timeline, isReturn)) {
    const event = returns.find(
      ({ first, last }) => first <= copies.revision && last >= copies.revision,
    );
    const sources = event && sourcesOf(copies, script, event.means);
    if (!sources) continue;
    let open: RewrittenRun | null = null;
    for (const [index, from] of sources.toReversed().entries()) {
      if (open && open.from + open.length === from) open.length += 1;
      else
        found.push((open = { revision: copies.revision, from, to: copies.at + index, length: 1 }));
    }
  }
  return found.sort((one, other) => one.revision - other.revision);
}
