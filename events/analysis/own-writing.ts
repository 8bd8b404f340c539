import { never } from "@/events/crdt/updates/lifespans";
import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { rewritingOf } from "./rewriting";

/**
 * A passage that a person wrote without a pause: its words, when they were written, and when they
 * were deleted, if ever.
 */
export type OwnPassage = {
  text: string;
  /**
   * `paragraph` is the index of the passage's paragraph among all that ever existed. `follows` is
   * true if the passage directly follows the previous one.
   */
  paragraph: number;
  follows: boolean;
  writtenAt: string;
  until: string;
  deletedAt: string | null;
};

/** The longest pause, in milliseconds, between two letters of one passage. */
const longestPause = 5 * 60_000;

type Open = {
  text: string;
  follows: boolean;
  from: number;
  until: number;
  diedFrom: number;
  died: number;
};

/**
 * Returns all text that one person wrote in a document, in page order, both standing and deleted.
 * Each letter is listed once, for its first writer. Moved, split, restored or imported text is not
 * repeated.
 */
export function ownWriting(timeline: Timeline, person: string): OwnPassage[] {
  const own = timeline.authors.indexOf(person);
  if (own < 0) return [];
  const rewriting = rewritingOf(timeline);
  const passages: OwnPassage[] = [];
  const time = (ms: number) => new Date(ms).toISOString();
  const close = ({ text, follows, from, until, died }: Open, paragraph: number) =>
    passages.push({
      text,
      paragraph,
      follows,
      writtenAt: time(from),
      until: time(until),
      deletedAt: died === never ? null : time(timeline.timeOf(died)),
    });
  const isOwn = (revision: number) =>
    timeline.authorOf(revision) === own && timeline.revision(revision).type === "document.edited";
  for (const [paragraph, textblock] of scriptOf(timeline).textblocks.entries()) {
    const { born, gone, copied } = rewriting.livesOf(textblock);
    let open: Open | null = null;
    for (let offset = 0; offset < textblock.text.length; offset += 1) {
      const [came, went] = [born[offset] ?? 0, gone[offset] ?? never];
      // A copy of the person's own words does not end a passage. Restores insert such copies right
      // after the original words.
      if (copied?.[offset] === 1 && isOwn(came)) continue;
      if (!isOwn(came)) {
        if (open) close(open, paragraph);
        open = null;
        continue;
      }
      const at = timeline.timeOf(came);
      if (open && goesOn(timeline, open, at, went)) {
        open.text += textblock.text[offset] ?? "";
        open.until = Math.max(open.until, at);
        open.from = Math.min(open.from, at);
        open.died = went === never ? never : Math.max(open.died, went);
        continue;
      }
      if (open) close(open, paragraph);
      open = {
        text: textblock.text[offset] ?? "",
        follows: open !== null,
        from: at,
        until: at,
        diedFrom: went,
        died: went,
      };
    }
    if (open) close(open, paragraph);
  }
  return passages;
}

/** Whether a letter written at `at` and deleted at revision `went` belongs to the open passage. */
function goesOn(timeline: Timeline, open: Open, at: number, went: number): boolean {
  if (at > open.until + longestPause || at < open.from - longestPause) return false;
  if (went === never || open.diedFrom === never) return went === open.diedFrom;
  return Math.abs(timeline.timeOf(went) - timeline.timeOf(open.diedFrom)) <= longestPause;
}
