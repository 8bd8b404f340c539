import { createActor } from "xstate";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { replayMachine } from "@/machines/replay/replay";
import { sessionStops, stoppedFrom } from "@/machines/replay/replay-steps";
import { markersOf } from "@/components/history/playback/timeline-markers";
import { commandOf } from "@/components/history/playback/player-keys";
import type { PlayerCommand } from "@/components/history/playback/player-keys";
import { titleWithIcon } from "@/components/ui/pictures/title-with-icon";
import { personClass } from "@/components/ui/pictures/palette";
import { authorsIn, withImported } from "@/machines/import/imported-authors";
import { bundledFiles } from "@/events/proof/bundled-files";
import { parsePlayerContent } from "@/events/proof/player-file";
import type { PlayerContent } from "@/events/proof/player-file";
import { ControlBar } from "./control-bar";
import { element } from "./element";
import { proofPanel } from "./proof-panel";
import { Stage } from "./page";
import "./standalone.css";

async function play(content: PlayerContent): Promise<void> {
  const timeline = openTimeline(content.rows);
  const people = withImported(
    new Map(content.people.map(({ id, name, color }) => [id, { userId: id, name, color }])),
    timeline,
  );
  const replay = createActor(replayMachine, {
    input: {
      clock: performance,
      opening: { at: null, range: null, play: false, speed: 1 },
      load: async () => timeline,
    },
  });
  const files = bundledFiles(content.rows);
  const stage = new Stage(timeline, people, (file) => files.get(file) ?? null);
  const marked = markersOf(timeline, [], () => 0).map(({ revision }) => revision);
  const authors = authorsIn(timeline, people);
  let colours = false;
  const controlBar = new ControlBar(timeline, authors, replay, () => {
    colours = !colours;
    show();
  });
  const show = () => {
    const snapshot = replay.getSnapshot();
    if (!snapshot.matches("ready")) return;
    const { index, speed } = snapshot.context;
    const playing = snapshot.matches({ ready: "playing" });
    stage.show(index, colours, playing);
    controlBar.show({ index, playing, speed, colours });
  };
  const last = timeline.length - 1;
  const named = titleWithIcon(timeline.iconAt(last), timeline.titleAt(last) || "Untitled");
  document.title = `${named}, a history`;
  const writers = authors.map(({ name, color }) =>
    element("li", { class: personClass(color) }, name),
  );
  const bar = element(
    "header",
    { class: "bar" },
    element("span", {}, "A history, from a file"),
    proofPanel(content),
    element("ul", { class: "writers", "aria-label": "Authors" }, ...writers),
  );
  document.body.append(bar, element("main", {}, stage.root), controlBar.root);

  replay.subscribe(show);
  const tick = () => {
    if (replay.getSnapshot().matches({ ready: "playing" })) replay.send({ type: "tick" });
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  document.addEventListener(
    "visibilitychange",
    () => document.hidden && replay.send({ type: "pause" }),
  );
  /** Runs the command of a key. Returns false for commands that need a live document's page. */
  const obey = (command: PlayerCommand): boolean => {
    switch (command.type) {
      case "compare":
      case "change":
      case "axis":
      case "colour":
      case "filter":
      case "chapters":
      case "fork":
      case "leave":
      case "help":
      case "go.to":
      case "copy.link":
      case "bring.back":
      case "full.screen":
      case "range.start":
      case "range.end":
        return false;
      case "colours":
        colours = !colours;
        show();
        return true;
      case "versions":
        return controlBar.versions.focus();
      case "stop": {
        const { open, index } = replay.getSnapshot().context;
        if (open)
          replay.send({
            type: "seek",
            index: stoppedFrom(
              { playbackPath: open.playbackPath, index },
              [...new Set([...sessionStops(timeline, open.playbackPath), ...marked])].sort(
                (a, b) => a - b,
              ),
              command.by,
            ),
          });
        return true;
      }
      default:
        replay.send(command);
        return true;
    }
  };
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (
      target instanceof HTMLElement &&
      target.matches("button, select, summary") &&
      /^( |Enter|Arrow.*)$/.test(event.key)
    )
      return;
    const snapshot = replay.getSnapshot();
    const playing = snapshot.matches({ ready: "playing" });
    const altGraph = event.getModifierState("AltGraph");
    const { key, code, shiftKey, ctrlKey, metaKey, altKey, isComposing } = event;
    const pressed = { key, code, shiftKey, ctrlKey, metaKey, altKey, isComposing, altGraph };
    const command = commandOf(pressed, {
      playing,
      last: timeline.length - 1,
      speed: snapshot.context.speed,
    });
    if (!command || !obey(command)) return;
    event.preventDefault();
  });
  replay.start();
  controlBar.slider.focus();
}

function fail(error: unknown): void {
  const why = error instanceof Error ? error.message : "It cannot be read.";
  document.body.append(
    element(
      "main",
      { class: "failed", role: "alert" },
      element("h1", {}, "This history cannot be shown"),
      element("p", {}, why),
    ),
  );
}

try {
  const content = parsePlayerContent(document.getElementById("content")?.textContent ?? "");
  play(content).catch(fail);
} catch (error) {
  fail(error);
}
