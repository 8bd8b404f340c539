"use client";

import { useEffect, useState } from "react";
import type { RefObject } from "react";
import type { Change } from "@/events/analysis/comparison/comparison";
import { classNames } from "@/components/ui/class-names";
import { personClass } from "@/components/ui/pictures/palette";
import type { PersonAt } from "./diff-text";
import styles from "./compare.module.css";

type Props = {
  text: RefObject<HTMLElement | null>;
  changes: readonly Change[];
  /** The chunk of each change. */
  places: ReadonlyMap<number, { key: string; within: number }>;
  personAt: PersonAt;
  /** Identifies the layout. If it changes, the places are measured again. */
  layout: string;
  current: number | null;
  onGo: (change: number) => void;
};

/** The height of the comparison's header, in px. */
const headHeight = 130;

type Measured = { height: number; tops: Map<number, number> };

/** The height of a marker, in px. Only the first of several overlapping markers is drawn. */
const tick = 3;

/**
 * Measures the place of each change in the text, from 0 to 1, and the visible share of the page. If
 * a change is not rendered, its place is estimated from its chunk.
 */
function measured(text: HTMLElement, places: Props["places"]): Measured {
  const box = text.getBoundingClientRect();
  const height = text.closest("main")?.clientHeight ?? 0;
  const high = Math.max(1, box.height);
  const exact = new Map<number, number>();
  for (const element of text.querySelectorAll<HTMLElement>("[data-change]")) {
    const change = Number(element.dataset.change);
    if (!exact.has(change)) exact.set(change, element.getBoundingClientRect().top);
  }
  const chunks = new Map(
    [...text.querySelectorAll<HTMLElement>("[data-chunk]")].map((chunk) => [
      chunk.dataset.chunk,
      chunk.getBoundingClientRect(),
    ]),
  );
  const tops = new Map<number, number>();
  for (const [change, { key, within }] of places) {
    const chunk = chunks.get(key);
    const top = exact.get(change) ?? (chunk && chunk.top + chunk.height * within);
    if (top !== undefined) tops.set(change, (top - box.top) / high);
  }
  return { height, tops };
}

/** Returns the changes that get a marker on a map of this height. */
function drawnOf(
  changes: readonly Change[],
  { height, tops }: Measured,
  current: number | null,
): Change[] {
  let last = Number.NEGATIVE_INFINITY;
  return changes.filter(({ index }) => {
    const top = (tops.get(index) ?? 0) * height;
    const drawn = tops.has(index) && (index === current || top - last >= tick);
    if (drawn) last = top;
    return drawn;
  });
}

/**
 * Renders the minimap at the right edge, with a marker for each change. Keyboard users have buttons
 * instead.
 */
export function ChangeMinimap({ text, changes, places, personAt, layout, current, onGo }: Props) {
  const [map, setMap] = useState<Measured>({ height: 0, tops: new Map() });
  useEffect(() => {
    const element = text.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setMap(measured(element, places)));
    watch.observe(element);
    const page = element.closest("main");
    if (page) watch.observe(page);
    return () => watch.disconnect();
  }, [text, places, layout]);
  return (
    <div className={styles.map} aria-hidden="true">
      <div style={{ blockSize: `${Math.max(0, map.height - headHeight)}px` }}>
        {drawnOf(changes, map, current).map(({ index, revision }) => (
          <i
            key={index}
            className={classNames(
              personClass(personAt(revision).color),
              index === current && styles.here,
            )}
            style={{ insetBlockStart: `${(map.tops.get(index) ?? 0) * 100}%` }}
            onClick={() => onGo(index)}
          />
        ))}
      </div>
    </div>
  );
}
