"use client";

import { useEffect, useState, type RefObject } from "react";
import { type Change } from "@/events/analysis/comparison/comparison";
import { classNames } from "@/components/ui/class-names";
import { personClass } from "@/components/ui/pictures/palette";
import { type PersonAt } from "./diff-text";
import styles from "./compare.module.css";

type Props = {
  text: RefObject<HTMLElement | null>;
  changes: readonly Change[];
  /** In which chunk of the text each change stands. */
  places: ReadonlyMap<number, { key: string; within: number }>;
  personAt: PersonAt;
  /** Makes the places be measured again. */
  layout: string;
  current: number | null;
  onGo: (change: number) => void;
};

/** What the comparison's own head takes of the page. */
const headHeight = 130;

type Measured = { height: number; tops: Map<number, number> };

/** Pixels that a tick takes of the map: of changes that would stand on each other the first is drawn. */
const tick = 3;

/**
 * Where, from 0 to 1, each change stands in the text, and how much of the page is seen at once.
 * What is not in the page is judged by its chunk.
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

/** The changes that have a tick of their own on a map so high. */
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
 * Where in the document it changed: a tick for each change down the right edge. The keyboard has
 * the buttons for it.
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
