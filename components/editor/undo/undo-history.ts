import type { SelectionBookmark } from "@tiptap/pm/state";
import { Mapping } from "@tiptap/pm/transform";
import type { StepMap, Transform } from "@tiptap/pm/transform";
import { composedMap } from "./step-map-composition";
import { makeChange, rebased } from "./undo-change";
import type { Change, Made } from "./undo-change";

/**
 * A change since the first undo step: the person's own change with its inverse, or a remote change,
 * which only moves positions. `mirror` is the number of items down to the one that this item undid.
 * `begins` is the selection before a step.
 */
type Item = {
  map: StepMap;
  back: Change | null;
  mirror: number | null;
  begins: SelectionBookmark | null;
};

/**
 * The changes as an immutable list, newest first. Each has the number of undo steps at or below it.
 */
export type Branch = { item: Item; below: Branch | null; steps: number } | null;

const mostSteps = 1_000;
const stepsToSpare = 100;

function on(below: Branch, item: Item): Branch {
  return { item, below, steps: (below?.steps ?? 0) + (item.begins === null ? 0 : 1) };
}

/** Returns the number of undo steps. */
export function stepsOf(branch: Branch): number {
  return branch?.steps ?? 0;
}

/** Drops the oldest steps once there are too many. */
function bounded(branch: Branch): Branch {
  if (stepsOf(branch) <= mostSteps + stepsToSpare) return branch;
  const newest: Item[] = [];
  for (let at = branch; at !== null && stepsOf(branch) - at.steps < mostSteps; at = at.below)
    newest.unshift(at.item);
  while (newest[0]?.begins === null) newest.shift();
  return newest.reduce(on, null);
}

/** Adds the person's own changes. With `begins`, they start a new step. */
export function withOwn(
  branch: Branch,
  made: readonly Made[],
  begins: SelectionBookmark | null,
): Branch {
  return bounded(
    made.reduce(
      (below, { map, back }, index) =>
        on(below, { map, back, mirror: null, begins: index === 0 ? begins : null }),
      branch,
    ),
  );
}

/** Adds a remote change. */
export function withOthers(branch: Branch, map: StepMap): Branch {
  if (branch === null) return null;
  const { item, below } = branch;
  if (item.back !== null || item.mirror !== null)
    return on(branch, { map, back: null, mirror: null, begins: null });
  return on(below, { ...item, map: composedMap(item.map, map) });
}

/** Returns the newest step with all later changes, oldest first, and the branch below it. */
function newestStep(branch: Branch): { items: Item[]; below: Branch } {
  const items: Item[] = [];
  let at = branch;
  while (at !== null) {
    items.push(at.item);
    const { begins } = at.item;
    at = at.below;
    if (begins !== null) break;
  }
  return { items: items.reverse(), below: at };
}

/**
 * Whether `undone` restores everything that `map` removed, in ranges of the same order, so that
 * positions in it can be recovered.
 */
function isMirrored(map: StepMap, undone: StepMap): boolean {
  const brought: number[] = [];
  undone.forEach((_from, _to, from, to) => brought.push(to - from));
  const removed: number[] = [];
  map.forEach((from, to) => removed.push(to - from));
  return removed.every((size, index) => size === 0 || size === brought[index]);
}

type TakenBack = { left: Branch; made: Made[]; selection: SelectionBookmark | null };

function takeOneBack(branch: Branch, transform: Transform): TakenBack {
  const { items, below } = newestStep(branch);
  const alone = items.every(({ back }) => back !== null);
  const mapping = new Mapping();
  items.forEach(({ map, mirror }, index) =>
    mapping.appendMap(map, mirror === null || mirror > index ? undefined : index - mirror),
  );
  const made: Made[] = [];
  const undone: Item[] = [];
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (!item?.back) continue;
    for (const change of alone
      ? [item.back]
      : rebased(item.back, mapping, index + 1, transform.doc)) {
      for (const done of makeChange(transform, change)) {
        made.push(done);
        const mirrored = isMirrored(item.map, done.map);
        undone.push({
          map: done.map,
          back: null,
          mirror: mirrored ? mapping.maps.length - index : null,
          begins: null,
        });
        mapping.appendMap(done.map, mirrored ? index : undefined);
      }
    }
  }
  const selection = items[0]?.begins ?? null;
  if (alone) return { left: below, made, selection };
  const moved = items.map((item) => ({ ...item, back: null, begins: null }));
  return {
    left: stepsOf(below) === 0 ? null : [...moved, ...undone].reduce(on, below),
    made,
    selection: selection?.map(mapping) ?? null,
  };
}

/** Undoes the newest step that has a change left. Returns null if there is none. */
export function takeBack(branch: Branch, transform: Transform): TakenBack | null {
  let left = branch;
  while (stepsOf(left) > 0) {
    const reverted = takeOneBack(left, transform);
    if (reverted.made.length > 0) return reverted;
    left = reverted.left;
  }
  return null;
}
