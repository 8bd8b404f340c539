import type { EditorView } from "@tiptap/pm/view";
import { firstWhere } from "@/events/core/binary-search";
import type { Hit } from "./hits";

/** The names of the highlights that app/globals.css styles. */
const all = "found";
const current = "found-current";
/**
 * Maximum number of highlights drawn, and of hits added before and after the visible ones, because
 * the cells of a row are beside each other.
 */
const mostDrawn = 2_000;
const beside = 20;

/**
 * Returns the index of the first hit that passes a test, by binary search. Every later hit must
 * pass the test too.
 */
function firstOf(hits: readonly Hit[], holds: (hit: Hit) => boolean): number {
  return firstWhere(0, hits.length, (index) => {
    const hit = hits[index];
    return hit !== undefined && holds(hit);
  });
}

function rangeOf(view: EditorView, { from, to }: Hit): Range {
  const range = document.createRange();
  const [start, end] = [view.domAtPos(from, 1), view.domAtPos(to, -1)];
  range.setStart(start.node, start.offset);
  range.setEnd(end.node, end.offset);
  return range;
}

/** Returns the hits in or near the viewport. */
function seen(view: EditorView, hits: readonly Hit[]): readonly Hit[] {
  const topOf = ({ from }: Hit) => view.coordsAtPos(from).top;
  const begin = Math.max(0, firstOf(hits, (hit) => topOf(hit) > -innerHeight / 2) - beside);
  const end = firstOf(hits, (hit) => topOf(hit) > innerHeight * 1.5) + beside;
  return hits.slice(begin, Math.min(end, begin + mostDrawn));
}

/**
 * Highlights the visible hits, and the current hit differently. CSS highlights are ranges that the
 * browser paints, so the DOM does not change while a person types or composes.
 */
export function drawHits(view: EditorView, hits: readonly Hit[], shown: Hit | null): void {
  if (!("highlights" in CSS)) return;
  const others = seen(view, hits).filter((hit) => hit !== shown);
  CSS.highlights.set(all, new Highlight(...others.map((hit) => rangeOf(view, hit))));
  const marked = new Highlight(...(shown === null ? [] : [rangeOf(view, shown)]));
  marked.priority = 1;
  CSS.highlights.set(current, marked);
}

/** Removes the highlights. */
export function clearHits(): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(all);
  CSS.highlights.delete(current);
}

const strip = 60;
const below = 96;

/** Scrolls a hit outside the viewport to a third of the viewport's height. */
export function scrollToHit(view: EditorView, { from }: Hit): void {
  const scroller = view.dom.closest("main") ?? document.scrollingElement;
  if (scroller === null) return;
  const edge = scroller.getBoundingClientRect();
  const { top, bottom } = view.coordsAtPos(from);
  const upper = Math.max(0, edge.top) + strip;
  const lower = Math.min(innerHeight, edge.bottom) - below;
  if (top >= upper && bottom <= lower) return;
  const target = upper + (lower - upper) / 3;
  scroller.scrollBy({ top: top - target, behavior: "instant" });
}
