import { type ReplayEvent } from "@/machines/replay/replay-setup";
import { speeds, type Speed } from "@/machines/replay/replay-opening";
import { type AxisKind } from "./timeline-axis";
import { type Filter } from "./playback-filter";

/** What a control or a key of the player asks for, beyond what the replay itself knows. */
export type PlayerCommand =
  | ReplayEvent
  | { type: "STOP" | "CHANGE"; by: -1 | 1 }
  | { type: "AXIS"; axis: AxisKind }
  | { type: "FILTER"; filter: Filter }
  | {
      type:
        | "COLOURS"
        | "COMPARE"
        | "VERSIONS"
        | "FORK"
        | "LEAVE"
        | "HELP"
        | "GO_TO"
        | "COPY_LINK"
        | "FULL_SCREEN"
        | "CHAPTERS"
        | "RANGE_START"
        | "RANGE_END"
        | "BRING_BACK";
    };

type Key = Pick<
  KeyboardEvent,
  "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey" | "isComposing"
> & { altGraph: boolean };
type At = { playing: boolean; last: number; speed: Speed };

type Binding = {
  /** The keys as `KeyboardEvent.key` has them, letters small; `Shift+` stands only before keys that write nothing. */
  keys: readonly string[];
  /** The same as people read them. */
  shown: readonly string[];
  does: string;
  command: (at: At) => PlayerCommand;
};

/** The next speed up or down. */
export function speedBy(speed: Speed, by: -1 | 1): Speed {
  return speeds[Math.max(0, Math.min(speeds.length - 1, speeds.indexOf(speed) + by))] ?? speed;
}

const always = (command: PlayerCommand) => () => command;
const along =
  (by: -1 | 1) =>
  ({ playing }: At): PlayerCommand =>
    playing ? { type: "SKIP", ms: by * 5000 } : { type: "GROUP", by };
const faster =
  (by: -1 | 1) =>
  ({ speed }: At): PlayerCommand => ({ type: "SPEED", speed: speedBy(speed, by) });

/** Every key of the player, as the list under `?` shows them. */
export const bindings: readonly Binding[] = [
  {
    keys: [" ", "k"],
    shown: ["Space", "K"],
    does: "Play or pause",
    command: always({ type: "TOGGLE" }),
  },
  {
    keys: ["ArrowLeft", "ArrowDown"],
    shown: ["←"],
    does: "The edits before; 5 seconds back while it plays",
    command: along(-1),
  },
  {
    keys: ["ArrowRight", "ArrowUp"],
    shown: ["→"],
    does: "The edits after; 5 seconds on while it plays",
    command: along(1),
  },
  {
    keys: ["j", "PageDown"],
    shown: ["J"],
    does: "10 seconds back",
    command: always({ type: "SKIP", ms: -10_000 }),
  },
  {
    keys: ["l", "PageUp"],
    shown: ["L"],
    does: "10 seconds on",
    command: always({ type: "SKIP", ms: 10_000 }),
  },
  { keys: [","], shown: [","], does: "One edit back", command: always({ type: "STEP", by: -1 }) },
  { keys: ["."], shown: ["."], does: "One edit on", command: always({ type: "STEP", by: 1 }) },
  {
    keys: ["[", "Shift+ArrowLeft"],
    shown: ["[", "⇧ ←"],
    does: "The session, chapter or mark before",
    command: always({ type: "STOP", by: -1 }),
  },
  {
    keys: ["]", "Shift+ArrowRight"],
    shown: ["]", "⇧ →"],
    does: "The next session, chapter or mark",
    command: always({ type: "STOP", by: 1 }),
  },
  {
    keys: ["Home"],
    shown: ["Home"],
    does: "The beginning",
    command: always({ type: "SEEK", index: 0 }),
  },
  {
    keys: ["End"],
    shown: ["End"],
    does: "The newest moment",
    command: ({ last }) => ({ type: "SEEK", index: last }),
  },
  { keys: ["<"], shown: ["<"], does: "Slower", command: faster(-1) },
  { keys: [">"], shown: [">"], does: "Faster", command: faster(1) },
  { keys: ["a"], shown: ["A"], does: "Author colours", command: always({ type: "COLOURS" }) },
  {
    keys: ["d", "b"],
    shown: ["D", "B"],
    does: "Compare with another moment; again, to end it",
    command: always({ type: "COMPARE" }),
  },
  {
    keys: ["n"],
    shown: ["N"],
    does: "The next change, while comparing",
    command: always({ type: "CHANGE", by: 1 }),
  },
  {
    keys: ["p"],
    shown: ["P"],
    does: "The change before, while comparing",
    command: always({ type: "CHANGE", by: -1 }),
  },
  {
    keys: ["m"],
    shown: ["M"],
    does: "Name this version; the list of versions",
    command: always({ type: "VERSIONS" }),
  },
  {
    keys: ["g"],
    shown: ["G"],
    does: "Go to a date or an edit",
    command: always({ type: "GO_TO" }),
  },
  {
    keys: ["r"],
    shown: ["R"],
    does: "Bring the selected passage back",
    command: always({ type: "BRING_BACK" }),
  },
  {
    keys: ["c"],
    shown: ["C"],
    does: "Copy a link to this moment",
    command: always({ type: "COPY_LINK" }),
  },
  {
    keys: ["i"],
    shown: ["I"],
    does: "Play from this moment on only; again, to take it back",
    command: always({ type: "RANGE_START" }),
  },
  {
    keys: ["o"],
    shown: ["O"],
    does: "Play up to this moment only; again, to take it back",
    command: always({ type: "RANGE_END" }),
  },
  { keys: ["f"], shown: ["F"], does: "Full screen", command: always({ type: "FULL_SCREEN" }) },
  { keys: ["?"], shown: ["?"], does: "This list", command: always({ type: "HELP" }) },
  { keys: ["Escape"], shown: ["Esc"], does: "Back to live", command: always({ type: "LEAVE" }) },
];

const byKey = new Map(bindings.flatMap((binding) => binding.keys.map((key) => [key, binding])));

function nameOf({ key, shiftKey }: Key): string {
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

/** What a key does while the player has focus; null leaves it to the browser. */
export function commandOf(key: Key, at: At): PlayerCommand | null {
  // With AltGr some layouts write brackets; it looks like Ctrl and Alt.
  if (((key.ctrlKey || key.altKey) && !key.altGraph) || key.metaKey || key.isComposing) return null;
  const known = byKey.get(nameOf(key));
  if (known) return known.command(at);
  // Where digits stand above other signs, the key itself tells.
  const tenth = /^(?:Digit|Numpad)([0-9])$/.exec(key.code)?.[1] ?? /^[0-9]$/.exec(key.key)?.[0];
  return tenth === undefined
    ? null
    : { type: "SEEK", index: Math.round((at.last * Number(tenth)) / 10) };
}
