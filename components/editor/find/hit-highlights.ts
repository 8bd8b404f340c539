import type { EditorView } from "@tiptap/pm/view";
import { firstWhere } from "@/events/core/binary-search";
import type { Hit } from "./hits";

/** The names under which app/globals.css gives them their look. */
const all = "found";
const current = "found-current";
/** So many are drawn at most, and so many beside those that are seen: cells of a row stand beside each other. */
const mostDrawn = 2_000;
const beside = 20;

/** The number of the first hit of which a test holds that holds for all behind it. */
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

/** Those of the hits that are seen, or nearly. */
function seen(view: EditorView, hits: readonly Hit[]): readonly Hit[] {
  const topOf = ({ from }: Hit) => view.coordsAtPos(from).top;
  const begin = Math.max(0, firstOf(hits, (hit) => topOf(hit) > -innerHeight / 2) - beside);
  const end = firstOf(hits, (hit) => topOf(hit) > innerHeight * 1.5) + beside;
  return hits.slice(begin, Math.min(end, begin + mostDrawn));
}

/**
 * Draws the hits that are seen over the text, one of them as the one that is shown. They are ranges
 * that the browser paints: nothing in the text changes, whoever is writing or composing there, and
 * in whatever pieces it is laid out.
 */
export function drawHits(view: EditorView, hits: readonly Hit[], shown: Hit | null): void {
  if (!("highlights" in CSS)) return;
  const others = seen(view, hits).filter((hit) => hit !== shown);
  CSS.highlights.set(all, new Highlight(...others.map((hit) => rangeOf(view, hit))));
  const marked = new Highlight(...(shown === null ? [] : [rangeOf(view, shown)]));
  marked.priority = 1;
  CSS.highlights.set(current, marked);
}

/** Takes away what was drawn. */
export function clearHits(): void {
  if (!("highlights" in CSS)) return;
  CSS.highlights.delete(all);
  CSS.highlights.delete(current);
}

const strip = 60;
const below = 96;

/** Brings a hit into sight, if it is not, a third down the page. */
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
