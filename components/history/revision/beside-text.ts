import type { ComponentType, RefObject } from "react";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";

/** What the page of a revision tells what stands beside its text. */
export type BesideProps = {
  timeline: Timeline;
  index: number;
  moving: boolean;
  /** Whether the page goes along with what happens. */
  following: boolean;
  people: ReadonlyMap<string, Person>;
  page: RefObject<HTMLElement | null>;
};

/** What is shown beside the text of the past and is no part of it, such as its comments. */
export type BesideText = {
  /** Whether there is anything of it in this history. */
  isIn: (timeline: Timeline) => boolean;
  /** The block that what happened at a revision is about; null where it is about none, or none that is known. */
  blockAt: (timeline: Timeline, index: number) => Block | null;
  Beside: ComponentType<BesideProps>;
};
