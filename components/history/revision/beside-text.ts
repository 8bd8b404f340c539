import type { ComponentType, RefObject } from "react";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";

/** The props of the content beside a revision's text. */
export type BesideProps = {
  timeline: Timeline;
  index: number;
  moving: boolean;
  /** Whether the page scrolls along with the changes. */
  following: boolean;
  people: ReadonlyMap<string, Person>;
  page: RefObject<HTMLElement | null>;
};

/** Content beside the text of a revision, such as its comments. */
export type BesideText = {
  /** Whether a history has any such content. */
  isIn: (timeline: Timeline) => boolean;
  /**
   * Returns the block to which the event at a revision refers, or null if there is none or it is
   * unknown.
   */
  blockAt: (timeline: Timeline, index: number) => Block | null;
  Beside: ComponentType<BesideProps>;
};
