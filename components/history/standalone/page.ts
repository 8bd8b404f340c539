import { firstWritings } from "@/events/analysis/lineage/first-writings";
import type { Timeline } from "@/events/history/timeline/timeline";
import text from "@/components/editor/text.module.css";
import icons from "@/components/ui/pictures/page-icon.module.css";
import type { FilePaths } from "@/components/history/revision/block-renderer";
import { RevisionView } from "@/components/history/revision/revision-view";
import styles from "@/components/history/revision/revision-page.module.css";
import type { Person } from "@/events/read-models/person";
import { importedWords } from "@/machines/import/imported-authors";
import { element } from "./element";
import { DocumentComments } from "./comments";

const list = new Intl.ListFormat("en-GB");

/** Shows the history as a page: icon, title, authors so far, and the text. */
export class Stage {
  readonly root: HTMLElement;
  private readonly icon = element("span", { class: icons.icon ?? "", role: "img" });
  private readonly iconPlace = element("div", { class: icons.place ?? "" }, this.icon);
  private readonly title = element("h1", { class: styles.title ?? "" });
  private readonly byline = element("p", { class: styles.byline ?? "" });
  private readonly view: RevisionView;
  private readonly comments: DocumentComments;
  private readonly timeline: Timeline;
  private readonly people: ReadonlyMap<string, Person>;
  private readonly firsts: number[];

  constructor(timeline: Timeline, people: ReadonlyMap<string, Person>, pathOf: FilePaths) {
    this.timeline = timeline;
    this.people = people;
    const writing = element("div", { class: `${text.text} ${styles.past}` });
    this.root = element(
      "section",
      { class: styles.page ?? "", "aria-label": "Document at this moment", tabindex: "0" },
      this.iconPlace,
      this.title,
      this.byline,
      writing,
    );
    this.view = new RevisionView(writing, timeline, people, undefined, pathOf);
    this.comments = new DocumentComments(timeline, people, writing);
    this.root.append(this.comments.root);
    this.firsts = firstWritings(timeline);
  }

  /** Shows a revision. During playback, the page follows the edits. */
  show(index: number, colours: boolean, playing: boolean): void {
    const icon = this.timeline.iconAt(index);
    this.iconPlace.hidden = icon === null;
    this.icon.textContent = icon;
    this.icon.ariaLabel = icon === null ? null : `Icon ${icon}`;
    this.title.textContent = this.timeline.titleAt(index) || "Untitled";
    const seen = this.timeline.authors.filter((_, author) => (this.firsts[author] ?? 0) <= index);
    const names = seen.map((id) => this.people.get(id)?.name ?? "Somebody");
    this.byline.textContent = [
      names.length === 0 ? null : `${list.format(names)}.`,
      importedWords(this.timeline.marks, index),
    ]
      .filter((part) => part !== null)
      .join(" ");
    this.view.show(index, colours ? "all" : "session", playing);
    this.comments.show(index, playing);
    const place = this.view.place?.getBoundingClientRect();
    const scroller = this.root.parentElement?.getBoundingClientRect();
    if (!place || !scroller) return;
    if (place.top < scroller.top + 60 || place.bottom > scroller.bottom - 60)
      this.view.place?.scrollIntoView({ block: "center" });
  }
}
