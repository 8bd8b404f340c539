import type { ActorRefFrom } from "xstate";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { replayMachine } from "@/machines/replay/replay";
import { speeds } from "@/machines/replay/replay-opening";
import { revisionWords, timeWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";
import type { Person } from "@/events/read-models/person";
import { drawDensity } from "./density";
import { element } from "./element";
import { VersionRow } from "./version-row";

type Replay = ActorRefFrom<typeof replayMachine>;

/** The state of the player that a control bar shows. */
type Shown = { index: number; playing: boolean; speed: number; colours: boolean };

function button(label: string, sign: string, onClick: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", "aria-label": label, title: label }, sign);
  made.addEventListener("click", onClick);
  return made;
}

/** Renders the controls of the player as native elements. */
export class ControlBar {
  readonly root: HTMLElement;
  readonly slider: HTMLInputElement;
  private readonly play: HTMLButtonElement;
  private readonly tint: HTMLButtonElement;
  private readonly now = element("p", { class: "now" });
  private readonly speed: HTMLSelectElement;
  readonly versions: VersionRow;
  private readonly timeline: Timeline;
  private readonly people: readonly Person[];

  constructor(
    timeline: Timeline,
    people: readonly Person[],
    replay: Replay,
    onColours: () => void,
  ) {
    this.timeline = timeline;
    this.people = people;
    const strip = element("canvas", { "aria-hidden": "true" });
    this.slider = element("input", {
      type: "range",
      min: "0",
      max: String(Math.max(1, Math.ceil(timeline.timingMap.length))),
      step: "1",
      "aria-label": "Moment",
    });
    this.slider.addEventListener("input", () =>
      replay.send({
        type: "seek",
        index: timeline.timingMap.revisionAt(Number(this.slider.value)),
      }),
    );
    this.play = button("Play", "▶", () => replay.send({ type: "toggle" }));
    this.play.className = "play";
    this.tint = button("Show authors’ colours", "Authors", onColours);
    this.speed = element(
      "select",
      { "aria-label": "Speed" },
      ...speeds.map((value) => element("option", { value: String(value) }, `${value}×`)),
    );
    this.speed.addEventListener("change", () => {
      const speed = speeds.find((value) => String(value) === this.speed.value);
      if (speed) replay.send({ type: "speed", speed });
    });
    this.versions = new VersionRow(timeline, people, (index) =>
      replay.send({ type: "seek", index }),
    );
    this.root = element(
      "section",
      { class: "control-bar", "aria-label": "Player" },
      ...(this.versions.stops.length > 0 ? [this.versions.root] : []),
      element("div", { class: "timeline-bar" }, strip, this.slider),
      element(
        "div",
        { class: "keys" },
        button("Previous edit", "◂", () => replay.send({ type: "step", by: -1 })),
        this.play,
        button("Next edit", "▸", () => replay.send({ type: "step", by: 1 })),
        this.now,
        this.tint,
        this.speed,
      ),
    );
    new ResizeObserver(() => drawDensity(strip, timeline, people, this.versions.stops)).observe(
      strip,
    );
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      drawDensity(strip, timeline, people, this.versions.stops),
    );
  }

  show({ index, playing, speed, colours }: Shown): void {
    const revision = this.timeline.revision(index);
    const name = this.people[revision.author]?.name ?? "Somebody";
    this.slider.value = String(Math.round(this.timeline.timingMap.playedAt(index)));
    this.slider.setAttribute("aria-valuetext", revisionWords(this.timeline, revision, name));
    this.play.textContent = playing ? "❚❚" : "▶";
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.tint.setAttribute("aria-pressed", String(colours));
    this.speed.value = String(speed);
    this.versions.show(index);
    const count = `edit ${numberWords(index + 1)} of ${numberWords(this.timeline.length)}`;
    this.now.replaceChildren(
      element("b", {}, timeWords(revision.time)),
      ` ${new Date(revision.time).toLocaleDateString("en-GB", { dateStyle: "long" })}, ${name}, ${count}`,
    );
  }
}
