import type { Timeline } from "@/events/history/timeline/timeline";
import type { RestoreRequest } from "../restore";
import { writers } from "../restored-history.fixture";
import { historyOf, typing } from "./steps.fixture";
import type { Step } from "./steps.fixture";

/** A restore in a history, with its undo. */
type UndoneRestore = {
  steps: Step[];
  restoring: number;
  undoing: number;
  /** The author whose changes are reverted, or null if a version is restored. */
  of: number | null;
  /** Whether the words stand between spaces, which several writers type as equal letters. */
  spaced: boolean;
  /** Selects the version to restore. */
  pick: number;
};

/** Returns the history before a restore and after its undo, or null if nothing would change. */
export function aroundUndoneRestore({
  steps,
  restoring,
  undoing,
  of,
  spaced,
  pick,
}: UndoneRestore): { before: Timeline; after: Timeline } | null {
  const history = spaced ? historyOf(typing(steps)) : historyOf(steps, "");
  const { timeline } = history;
  const to = timeline.length - 1;
  const request: RestoreRequest =
    of === null
      ? { kind: "revision", timeline, index: pick % timeline.length }
      : { kind: "author", timeline, author: writers[of] ?? "Ana", from: 0, to };
  const version = history.restore(restoring, request);
  if (version === null) return null;
  history.undo(undoing, version);
  return { before: timeline, after: history.timeline };
}

const act = (kind: number, at: number, size: number, writer: number): Step => ({
  do: "act",
  gesture: { kind, at, size, writer },
});

/** Small histories in which a restore and its undo once changed a statement, one of each kind. */
export const onceChanged: (UndoneRestore & { name: string })[] = [
  {
    name: "names the heading of words that are gone after their block has come back",
    steps: [
      act(0, 15, 6, 0),
      act(1, 8, 59, 2),
      { do: "take back", writer: 1, of: 2, pick: 455825455 },
    ],
    restoring: 2,
    undoing: 0,
    of: 0,
    spaced: true,
    pick: 19,
  },
  {
    name: "parts words at words that an earlier undo brought back between them",
    steps: [
      act(9, 2, 7, 2),
      act(1, 2, 9, 0),
      { do: "take back", writer: 1, of: 0, pick: 1870123667 },
      act(1, 15, 22, 1),
      { do: "undo", writer: 1, back: 0 },
      act(1, 16, 11, 2),
    ],
    restoring: 1,
    undoing: 0,
    of: null,
    spaced: true,
    pick: 0,
  },
  {
    name: "keeps what the search index holds where a restore takes the letters that were left",
    steps: [act(2, 13, 45, 2), act(1, 15, 2, 0), { do: "restore", writer: 0, pick: 2047452082 }],
    restoring: 0,
    undoing: 0,
    of: 2,
    spaced: false,
    pick: 1118374216,
  },
  {
    name: "keeps the deleted words of the search index apart from words that stand",
    steps: [act(1, 16, 26, 0), act(9, 1, 1, 0), act(1, 4, 8, 1), act(2, 2, 46, 1)],
    restoring: 1,
    undoing: 1,
    of: 1,
    spaced: false,
    pick: 10,
  },
];
