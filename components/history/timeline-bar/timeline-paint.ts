import type { SessionTrack } from "@/components/history/playback/timeline-axis";
import type { Bar } from "./author-rows";

/**
 * The measures of the drawing in CSS px. `authorRow` is the height of an author row, `gap` the
 * space between rows, and `bar` the width of a bar.
 */
type Sheet = { width: number; authorRow: number; gap: number; bar: number; scale: number };
export type Ink = { authorRows: readonly string[]; rule: string; wash: string };

type Drawing = {
  sessionTracks: readonly SessionTrack[];
  authorRows: readonly (readonly Bar[])[];
  /** The playhead and the played range, as fractions of the width. */
  head: number;
  range: { left: number; right: number } | null;
};

const played = 0.86;
const ahead = 0.34;
const skippedAlpha = 0.13;

/**
 * Draws the timeline bar on a canvas of the sheet's size. The part ahead of the playhead is pale,
 * and revisions that the filter excludes are paler.
 */
export function paintTimeline(
  context: CanvasRenderingContext2D,
  sheet: Sheet,
  ink: Ink,
  { sessionTracks, authorRows, head, range }: Drawing,
): void {
  const { width, authorRow, gap, bar, scale } = sheet;
  const height = authorRows.length * (authorRow + gap);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  if (range) {
    context.globalAlpha = 1;
    context.fillStyle = ink.wash;
    context.fillRect(
      range.left * width,
      0,
      Math.max(2, (range.right - range.left) * width),
      height,
    );
  }
  authorRows.forEach((bars, index) => {
    const floor = index * (authorRow + gap) + authorRow;
    context.globalAlpha = 1;
    context.fillStyle = ink.rule;
    for (const { left, right } of sessionTracks)
      context.fillRect(left * width, floor, (right - left) * width, 1);
    context.fillStyle = ink.authorRows[index] ?? ink.rule;
    for (const { x, all, visited } of bars) {
      const inside = !range || (x >= range.left - 1e-9 && x <= range.right);
      if (visited < all || !inside) {
        context.globalAlpha = skippedAlpha;
        context.fillRect(x * width, floor - all * authorRow, bar, all * authorRow);
      }
      if (visited === 0 || !inside) continue;
      context.globalAlpha = x <= head ? played : ahead;
      context.fillRect(x * width, floor - visited * authorRow, bar, visited * authorRow);
    }
  });
}
