import { scriptOf } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { PastThread } from "@/machines/past-threads";
import type { Person } from "@/events/read-models/person";
import {
  marginLayout,
  noteGap,
  noteLift,
  layoutEvery,
} from "@/components/comments/passages/margin-layout";
import { markRanges, rangeOf } from "@/components/comments/past/past-ranges";
import { commentsAt } from "@/components/comments/past/past-comments";
import notes from "@/components/comments/past/past-threads.module.css";
import { quoteWords } from "@/components/comments/quote-words";
import { personClass } from "@/components/ui/pictures/palette";
import { element } from "./element";

/**
 * Shows the comments at a revision, beside their words at that time. Without a margin, they are
 * below the text.
 */
export class DocumentComments {
  readonly root = element("aside", {
    class: notes.margin ?? "",
    "aria-label": "Comments at this moment",
  });
  private readonly list = element("ol", {});
  private readonly timeline: Timeline;
  private readonly people: ReadonlyMap<string, Person>;
  private readonly text: HTMLElement;
  private shown = -1;
  private made = 0;
  private frame = 0;
  private threads: PastThread[] = [];

  constructor(timeline: Timeline, people: ReadonlyMap<string, Person>, text: HTMLElement) {
    this.timeline = timeline;
    this.people = people;
    this.text = text;
    this.root.append(this.list);
    this.root.hidden = true;
    new ResizeObserver(() => this.place()).observe(text);
  }

  /** Shows the comments of a revision. During playback they are updated a few times a second. */
  show(index: number, playing: boolean): void {
    const now = performance.now();
    if (playing && now - this.made < layoutEvery) return;
    if (index === this.shown) return this.place();
    this.made = now;
    this.shown = index;
    const { threads, now: touched } = commentsAt(this.timeline, index);
    this.threads = threads;
    this.root.hidden = threads.length === 0;
    this.list.replaceChildren(...threads.map((each) => this.note(each, touched)));
    this.place();
  }

  private nameOf(userId: string | null): string {
    return this.people.get(userId ?? "")?.name ?? "Somebody";
  }

  private note(
    { id, anchor, where, comments, resolved, resolvedBy }: PastThread,
    now: string | null,
  ): HTMLElement {
    const items = comments.map((comment) =>
      element(
        "li",
        { class: comment.id === now ? (notes.now ?? "") : "" },
        element(
          "p",
          { class: `${notes.line} ${personClass(this.people.get(comment.authorId)?.color ?? 10)}` },
          element("b", {}, this.nameOf(comment.authorId)),
        ),
        element(
          "p",
          { class: notes.words ?? "" },
          comment.deleted ? "This comment was deleted." : comment.text,
        ),
      ),
    );
    const about = element(
      "p",
      { class: notes.quote ?? "" },
      where.state === "gone" ? "On deleted text: " : "",
      element("q", {}, quoteWords(anchor.quote)),
    );
    const settled = resolved
      ? [element("p", { class: notes.settled ?? "" }, `Resolved by ${this.nameOf(resolvedBy)}.`)]
      : [];
    return element(
      "li",
      { class: notes.note ?? "", "data-note": id },
      about,
      element("ol", { class: notes.comments ?? "" }, ...items),
      ...settled,
    );
  }

  /** Places each note beside its words, after the text is rendered. */
  private place(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const script = scriptOf(this.timeline);
      const ranges = new Map(
        this.threads.flatMap(({ id, where }) => {
          const range = rangeOf(this.text, script, this.shown, where);
          return range ? [[id, range] as const] : [];
        }),
      );
      markRanges([...ranges.values()]);
      const origin = this.root.getBoundingClientRect().top;
      const end = this.text.getBoundingClientRect().bottom - origin;
      const made = [...this.list.querySelectorAll<HTMLElement>("[data-note]")];
      const measured = made.map((note) => {
        const id = note.dataset.note ?? "";
        const top = ranges.get(id)?.getBoundingClientRect().top;
        return {
          id,
          top: top === undefined ? end : top - origin - noteLift,
          height: note.offsetHeight,
        };
      });
      const tops = marginLayout(
        measured.toSorted((a, b) => a.top - b.top),
        null,
        noteGap,
      );
      for (const note of made)
        note.style.insetBlockStart = `${tops.get(note.dataset.note ?? "") ?? 0}px`;
      // The notes are out of flow. Without this height, the last notes could not be scrolled to.
      const ends = measured.map(({ id, height }) => (tops.get(id) ?? 0) + height);
      this.root.style.minBlockSize = `${Math.max(0, ...ends)}px`;
    });
  }
}
