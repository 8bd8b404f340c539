import type { Timeline } from "@/events/history/timeline/timeline";
import { namedVersions } from "@/events/history/timeline/named-versions";
import { dateWords, timeWords } from "@/components/history/words/revision-words";
import type { Person } from "@/events/read-models/person";
import { element } from "./element";

/** Shows the named versions by revision, as one tab stop with arrow keys between the buttons. */
export class VersionRow {
  readonly root: HTMLElement;
  /** The revisions of the versions, ascending. */
  readonly stops: readonly number[];
  private readonly buttons: readonly HTMLButtonElement[];

  constructor(timeline: Timeline, people: readonly Person[], onGo: (index: number) => void) {
    const versions = namedVersions(timeline)
      .filter(({ name }) => name !== "")
      .sort((a, b) => a.revision - b.revision);
    const newest = timeline.timeOf(timeline.length - 1);
    this.stops = versions.map(({ revision }) => revision);
    this.buttons = versions.map(({ name, revision, actorId }, index) => {
      const time = timeline.timeOf(revision);
      const by = people.find(({ userId }) => userId === actorId)?.name ?? "Somebody";
      const label = `${name}, ${dateWords(time, newest)}, ${timeWords(time)}, named by ${by}`;
      const button = element(
        "button",
        { type: "button", "aria-label": label, title: label, tabindex: index === 0 ? "0" : "-1" },
        name,
      );
      button.addEventListener("click", () => onGo(revision));
      button.addEventListener("focus", () => this.reach(index));
      return button;
    });
    const row = element("div", { role: "toolbar", "aria-label": "Versions" }, ...this.buttons);
    row.addEventListener("keydown", (event) => this.rove(event));
    this.root = element(
      "div",
      { class: "versions" },
      element("h2", { "aria-hidden": "true" }, "Versions"),
      row,
    );
  }

  /** Marks the version of the shown revision. */
  show(index: number): void {
    for (const [at, button] of this.buttons.entries()) {
      if (this.stops[at] === index) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Focuses the row. Returns false if there is no version. */
  focus(): boolean {
    const button = this.buttons.find(({ tabIndex }) => tabIndex === 0);
    button?.focus();
    return button !== undefined;
  }

  private reach(index: number): void {
    for (const [at, button] of this.buttons.entries()) button.tabIndex = at === index ? 0 : -1;
  }

  private rove(event: KeyboardEvent): void {
    const last = this.buttons.length - 1;
    const at = this.buttons.findIndex((button) => button === event.target);
    const next =
      event.key === "ArrowRight"
        ? at + 1
        : event.key === "ArrowLeft"
          ? at - 1
          : event.key === "Home"
            ? 0
            : event.key === "End"
              ? last
              : null;
    if (next === null || at < 0) return;
    this.buttons[Math.max(0, Math.min(last, next))]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
