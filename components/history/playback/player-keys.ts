import type { ReplayEvent } from "@/machines/replay/replay-setup";
import { speeds } from "@/machines/replay/replay-opening";
import type { Speed } from "@/machines/replay/replay-opening";
import { playerShortcuts } from "@/components/commands/player-shortcuts";
import type { PlayerShortcut } from "@/components/commands/player-shortcuts";
import type { Colour } from "./colour";
import type { AxisKind } from "./timeline-axis";
import type { Filter } from "./playback-filter";

/** The commands of the player's controls and keys, beyond those of the replay itself. */
export type PlayerCommand =
  | ReplayEvent
  | { type: "stop" | "change"; by: -1 | 1 }
  | { type: "axis"; axis: AxisKind }
  | { type: "filter"; filter: Filter }
  | { type: "colour"; colour: Colour }
  | {
      type:
        | "colours"
        | "compare"
        | "versions"
        | "fork"
        | "leave"
        | "help"
        | "go.to"
        | "copy.link"
        | "full.screen"
        | "chapters"
        | "range.start"
        | "range.end"
        | "bring.back";
    };

type Key = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing"
> & { altGraph: boolean };
type At = { playing: boolean; last: number; speed: Speed };

/** Returns the next higher or lower speed. */
export function speedBy(speed: Speed, by: -1 | 1): Speed {
  return speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed) + by))] ?? speed;
}

const always = (command: PlayerCommand) => () => command;
const along =
  (by: -1 | 1) =>
  ({ playing }: At): PlayerCommand =>
    playing ? { type: "skip", ms: by * 5000 } : { type: "group", by };
const faster =
  (by: -1 | 1) =>
  ({ speed }: At): PlayerCommand => ({ type: "speed", speed: speedBy(speed, by) });

const commands: Readonly<Record<PlayerShortcut, (at: At) => PlayerCommand>> = {
  play: always({ type: "toggle" }),
  groupBack: along(-1),
  groupOn: along(1),
  back: always({ type: "skip", ms: -10_000 }),
  on: always({ type: "skip", ms: 10_000 }),
  editBack: always({ type: "step", by: -1 }),
  editOn: always({ type: "step", by: 1 }),
  stopBack: always({ type: "stop", by: -1 }),
  stopOn: always({ type: "stop", by: 1 }),
  start: always({ type: "seek", index: 0 }),
  end: ({ last }) => ({ type: "seek", index: last }),
  slower: faster(-1),
  faster: faster(1),
  colours: always({ type: "colours" }),
  compare: always({ type: "compare" }),
  nextChange: always({ type: "change", by: 1 }),
  lastChange: always({ type: "change", by: -1 }),
  versions: always({ type: "versions" }),
  goTo: always({ type: "go.to" }),
  bringBack: always({ type: "bring.back" }),
  copyLink: always({ type: "copy.link" }),
  rangeStart: always({ type: "range.start" }),
  rangeEnd: always({ type: "range.end" }),
  fullScreen: always({ type: "full.screen" }),
  help: always({ type: "help" }),
  leave: always({ type: "leave" }),
};

const isShortcut = (id: string): id is PlayerShortcut => id in playerShortcuts;
const byKey = new Map<string, PlayerShortcut>(
  Object.keys(playerShortcuts)
    .filter(isShortcut)
    .flatMap((id) => playerShortcuts[id].keys.map((key) => [key, id])),
);

function nameOf({ key, shiftKey }: Key): string {
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

/** Returns the command of a key while the player has the focus. Null leaves it to the browser. */
export function commandOf(key: Key, at: At): PlayerCommand | null {
  // Some layouts type brackets with AltGr, which is reported as Ctrl+Alt.
  if (((key.ctrlKey || key.altKey) && !key.altGraph) || key.metaKey || key.isComposing) return null;
  const known = byKey.get(nameOf(key));
  if (known) return commands[known](at);
  // On layouts where digits need Shift, `key.code` identifies the digit.
  const tenth = /^(?:Digit|Numpad)([0-9])$/.exec(key.code)?.[1] ?? /^[0-9]$/.exec(key.key)?.[0];
  return tenth === undefined
    ? null
    : { type: "seek", index: Math.round((at.last * Number(tenth)) / 10) };
}
