"use client";

import { useEffect, useMemo, useRef, useState } from "react";
import type { ReactNode } from "react";
import { firstWritings } from "@/events/analysis/lineage/first-writings";
import type { Timeline } from "@/events/history/timeline/timeline";
import text from "@/components/editor/text.module.css";
import type { ComingFrom } from "./coming-from";
import { importedWords } from "@/machines/import/imported-authors";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { isolated } from "@/events/core/text/isolated";
import { PageIcon } from "@/components/ui/pictures/page-icon";
import { personClass } from "@/components/ui/pictures/palette";
import type { BesideText } from "./beside-text";
import type { Colour } from "@/components/history/playback/colour";
import type { Person } from "./block-renderer";
import { RevisionView } from "./revision-view";
import styles from "./revision-page.module.css";
import { useManualScrolling } from "./use-manual-scrolling";

/** The id of the element with a past revision's text. */
export const pastTextId = "past-text";

type Props = {
  timeline: Timeline;
  people: ReadonlyMap<string, Person>;
  index: number;
  tinting: Colour;
  /** Whether the player plays. Manual scrolling then stops the page from following. */
  moving: boolean;
  /** The playback speed, as a multiple of the writing speed. */
  speed: number;
  /** The place in the text that is shown first, if any. */
  from: ComingFrom | null;
  /** The content beside the title, if there is a margin. */
  legend?: ReactNode;
  /** The content beside the text. */
  beside: BesideText;
};

const list = new Intl.ListFormat("en-GB");

/** Returns the authors so far, and the document's earlier title. */
function bylineAt(
  timeline: Timeline,
  firsts: number[],
  people: ReadonlyMap<string, Person>,
  index: number,
): string {
  const seen = timeline.authors.filter(
    (_, author) => (firsts[author] ?? Number.POSITIVE_INFINITY) <= index,
  );
  const names = seen.map((userId) => isolated(people.get(userId)?.name ?? "Somebody"));
  const named = timeline.marks.filter(
    ({ type, revision }) =>
      revision <= index && (type === "document.created" || type === "document.renamed"),
  );
  // An import starts again under its first title.
  const titles = named.slice(
    Math.max(
      0,
      named.findLastIndex(({ type }) => type === "document.created"),
    ),
  );
  const renamed = titles.at(-1);
  const before = titles.length > 1 && renamed ? timeline.titleAt(renamed.revision - 1) : "";
  return [
    names.length === 0 ? null : `${list.format(names)}.`,
    before === "" ? null : `Called “${isolated(before)}” before.`,
    importedWords(timeline.marks, index),
  ]
    .filter((part) => part !== null)
    .join(" ");
}

/** Returns the title and icon, and the person who changed either at this revision. */
function titleShown(timeline: Timeline, people: ReadonlyMap<string, Person>, index: number) {
  const { type, actorId } = timeline.revision(index);
  const renamedBy = type === "document.renamed" ? (people.get(actorId) ?? { color: 10 }) : null;
  const setBy = type === "document.icon_set" ? (people.get(actorId) ?? { color: 10 }) : null;
  return {
    title: timeline.titleAt(index) || "Untitled",
    renamedBy,
    icon: timeline.iconAt(index),
    setBy,
  };
}

function follow(place: HTMLElement): void {
  const scroller = place.closest("main");
  const box = place.getBoundingClientRect();
  const frame = scroller?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const margin = 60;
  if (box.top < frame.top + margin || box.bottom > frame.bottom - margin)
    place.scrollIntoView({ block: "center" });
}

/**
 * Hides the caret's flag where it would cover a line. The flag needs the room above a block. Lower
 * down, it is shown only on hover.
 */
function keepLinesClear(caret: HTMLElement | null | undefined): void {
  if (!caret) return;
  const [own, block] = [caret, caret.closest("p, h1, h2, h3, h4, h5, h6, pre") ?? caret].map(
    (element) => element.getBoundingClientRect(),
  );
  caret.classList.toggle(
    "low",
    own !== undefined && block !== undefined && own.top - block.top > own.height,
  );
}

/**
 * Shows the document at a revision: title, authors so far, and text. The text changes only with the
 * revision.
 */
export function RevisionPage({
  timeline,
  people,
  index,
  tinting,
  moving,
  speed,
  from,
  legend,
  beside,
}: Props) {
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<RevisionView | null>(null);
  const shownOnce = useRef(false);
  const [following, setFollowing] = useState(true);
  const [moved, setMoved] = useState(moving);
  // When playback starts, the page follows the edits again.
  if (moved !== moving) {
    setMoved(moving);
    if (moving) setFollowing(true);
  }
  useEffect(() => {
    view.current = root.current
      ? new RevisionView(root.current, timeline, people, beside.blockAt)
      : null;
  }, [timeline, people, beside]);
  useEffect(() => {
    root.current?.style.setProperty("--speed", `${speed}`);
    // A reader from the live text keeps their place, and a requested block is shown. Otherwise the
    // page shows the change at the revision.
    const goesToChange = shownOnce.current || (from === null && index < timeline.length - 1);
    const follows = goesToChange && (following || !moving);
    view.current?.show(index, tinting, moving, follows);
    const place = view.current?.place;
    if (place && follows) follow(place);
    if (!goesToChange && from !== null) view.current?.goTo(from);
    keepLinesClear(place);
    shownOnce.current = true;
    const stop = view.current?.whenScrolled(() => {
      view.current?.learnHeights();
      view.current?.show(index, tinting, moving);
      keepLinesClear(view.current?.place);
    });
    return stop;
  }, [timeline, people, index, tinting, moving, speed, following, from, beside]);
  const firsts = useMemo(() => firstWritings(timeline), [timeline]);
  const hasBeside = useMemo(() => beside.isIn(timeline), [beside, timeline]);
  const { title, renamedBy, icon, setBy } = titleShown(timeline, people, index);
  useManualScrolling(root, moving && following, () => setFollowing(false));
  return (
    // Focusable for scrolling by keyboard, because nothing inside is focusable.
    <section className={styles.page} aria-label="Document at this moment" tabIndex={0} data-margin>
      <PageIcon emoji={icon} color={setBy?.color ?? null} onChange={null} />
      <h1 className={styles.title}>
        {renamedBy === null ? (
          title
        ) : (
          <ins className={classNames(styles.renamed, personClass(renamedBy.color))}>{title}</ins>
        )}
      </h1>
      <p className={styles.byline}>{bylineAt(timeline, firsts, people, index)}</p>
      {legend}
      <div
        ref={root}
        id={pastTextId}
        className={classNames(text.text, styles.past, moving && styles.moving)}
      />
      {hasBeside && (
        <beside.Beside
          timeline={timeline}
          index={index}
          moving={moving}
          following={following || !moving}
          people={people}
          page={root}
        />
      )}
      {moving && !following && (
        <Button look="edge" className={styles.follow} onClick={() => setFollowing(true)}>
          Follow edits
        </Button>
      )}
    </section>
  );
}
