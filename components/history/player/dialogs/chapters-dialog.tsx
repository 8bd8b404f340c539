"use client";

import type { Timeline } from "@/events/history/timeline/timeline";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Dialog } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/forms/segmented";
import { chapterAt } from "@/components/history/playback/chapters";
import type { Chapter, ChapterKind, Chapters } from "@/components/history/playback/chapters";
import { axisWords, pauseWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";
import { backToSlider } from "@/components/history/playback/slider-focus";
import styles from "./player-dialogs.module.css";

type Props = {
  timeline: Timeline;
  authors: readonly Person[];
  index: number;
  chapters: Chapters;
  onBy: (by: ChapterKind) => void;
  onGo: (index: number) => void;
  onClose: () => void;
};

const kinds: readonly { value: ChapterKind; label: string }[] = [
  { value: "pause", label: "Pauses" },
  { value: "author", label: "People" },
  { value: "version", label: "Versions" },
];
const mostFaces = 3;
const list = new Intl.ListFormat("en-GB");

/** Lists the chapters of a history, each as a link to its beginning. */
export function ChaptersDialog({
  timeline,
  authors,
  index,
  chapters: { by, all: chapters },
  onBy,
  onGo,
  onClose,
}: Props) {
  const current = chapterAt(chapters, index);
  const go = (to: number) => {
    onGo(to);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      onCloseAutoFocus={backToSlider}
      title="Chapters"
      place="sheet"
    >
      <Segmented label="Divide by" value={by} options={kinds} onChange={onBy} />
      {by === "version" && chapters.every(({ name }) => name === null) && (
        <p className={styles.note}>No named versions yet. Naming a version starts a chapter.</p>
      )}
      <ol className={styles.chapters}>
        {chapters.map((chapter, at) => (
          <li key={chapter.from}>
            <button
              type="button"
              aria-current={at === current ? "step" : undefined}
              onClick={() => go(chapter.from)}
            >
              <b>
                {titleOf(
                  chapter,
                  timeline,
                  by === "version" ? (chapters[at - 1]?.name ?? null) : null,
                )}
              </b>
              <span className={styles.who}>
                {chapter.authors.slice(0, mostFaces).map((author) => {
                  const person = authors[author];
                  return (
                    person && (
                      <Avatar key={author} name={person.name} color={person.color} size="mini" />
                    )
                  );
                })}
                {peopleOf(chapter, authors)}, {lengthOf(chapter, timeline)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function titleOf({ from, name }: Chapter, { timeOf }: Timeline, before: string | null): string {
  if (name !== null) return name;
  if (before !== null) return `Since “${before}”`;
  const { day, time } = axisWords(timeOf(from));
  return `${day}, ${time}`;
}

function peopleOf({ authors: own }: Chapter, authors: readonly Person[]): string {
  const names = own
    .slice(0, mostFaces)
    .map((author) => firstName(authors[author] ?? { name: "Somebody" }));
  const more = own.length - names.length;
  return list.format(more > 0 ? [...names, `${more} more`] : names);
}

function lengthOf({ from, to }: Chapter, { timeOf }: Timeline): string {
  const edits = `${numberWords(to - from + 1)} ${to === from ? "edit" : "edits"}`;
  const time = timeOf(to) - timeOf(from);
  return time < 30_000 ? edits : `${edits} in ${pauseWords(time)}`;
}
