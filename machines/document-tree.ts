import { limits } from "@/events/core/limits";
import type { Json } from "@/events/core/envelope";
import { bodyOf } from "@/events/core/recorded-body";
import type { Refusal } from "@/events/log/refusal";
import { longestRank, rankBetween } from "./document-rank";
import { byRank, pathOf } from "./tree-path";
import type { DocumentTree, Placed } from "./tree-path";

/** A target position inside `parent` (null: top level), after the sibling `after` (null: first). */
export type Move = { parent: string | null; after: string | null };

/** The part of a document event that affects the tree. */
export type TreeEvent = { id: string; type: string; body: Json };

/** Returns the ids of each document's children in order. The key null is the top level. */
export function childrenOf(tree: DocumentTree): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const [id] of [...tree].sort(([, a], [, b]) => byRank(a, b))) {
    const { parent = null } = tree.get(id) ?? {};
    const siblings = children.get(parent);
    if (siblings) siblings.push(id);
    else children.set(parent, [id]);
  }
  return children;
}

/** Lists a document and all its descendants except purged ones, outer documents first. */
export function branchOf(tree: DocumentTree, id: string): { id: string; level: number }[] {
  const children = childrenOf(tree);
  const branch = [{ id, level: 1 }];
  for (const { id: at, level } of branch)
    for (const child of children.get(at) ?? [])
      if (tree.get(child)?.phase !== "purged" && branch.length <= tree.size)
        branch.push({ id: child, level: level + 1 });
  return branch;
}

const refusals = {
  "sibling-missing": "invalid-event",
  "parent-missing": "invalid-event",
  "own-branch": "illegal-transition",
  "parent-trashed": "illegal-transition",
  "no-room-between": "illegal-transition",
  document_children: "too-large",
  document_levels: "too-large",
} as const;

const refusal = (reason: keyof typeof refusals): Refusal => ({
  name: refusals[reason],
  reason,
  detail: `it cannot be moved there: ${reason}`,
});

/** Returns why a live document may not move there, or null. The database has the same rules. */
export function moveRefusal(tree: DocumentTree, id: string, move: Move): Refusal | null {
  const { parent, after } = move;
  if (after !== null && (after === id || !tree.has(after))) return refusal("sibling-missing");
  if (parent !== null) {
    const home = tree.get(parent);
    if (!home || home.phase === "purged") return refusal("parent-missing");
    const path = pathOf(tree, parent);
    if (path.some((above) => above.id === id)) return refusal("own-branch");
    if (path.some(({ phase }) => phase !== "live")) return refusal("parent-trashed");
    const within = [...tree.values()].filter(
      (each) => each.parent === parent && each.phase !== "purged",
    );
    if (tree.get(id)?.parent !== parent && within.length >= limits.document_children)
      return refusal("document_children");
    const height = Math.max(...branchOf(tree, id).map(({ level }) => level));
    if (path.length + height > limits.document_levels) return refusal("document_levels");
  }
  return rankAt(tree, id, move).length > longestRank ? refusal("no-room-between") : null;
}

/** Returns the rank after sibling `after`: first if null, last if `after` has another parent. */
function rankAt(tree: DocumentTree, id: string, { parent, after }: Move): string {
  const ranks = [...tree]
    .filter(([other, each]) => each.parent === parent && other !== id)
    .map(([, { rank }]) => rank)
    .sort((a, b) => (a < b ? -1 : 1));
  if (after === null) return rankBetween(null, ranks[0] ?? null);
  const behind = tree.get(after);
  const low = behind?.parent === parent && after !== id ? behind.rank : (ranks.at(-1) ?? null);
  return rankBetween(low, low === null ? null : (ranks.find((rank) => rank > low) ?? null));
}

/** Stands for a position after all siblings: no id is empty, so the lookup finds no sibling. */
const last = "";

/** Returns the tree after an event, recorded or optimistic. */
export function treeAfter(tree: DocumentTree, event: TreeEvent): DocumentTree {
  const { id, type } = event;
  const put = (placed: Placed) => new Map(tree).set(id, placed);
  const own = tree.get(id);
  if (type === "document.created")
    return put({
      parent: null,
      rank: rankAt(tree, id, { parent: null, after: last }),
      phase: "live",
    });
  if (!own) return tree;
  switch (type) {
    case "document.moved": {
      const { parent = null, after = null } = bodyOf(event, "document.moved") ?? {};
      return put({ ...own, parent, rank: rankAt(tree, id, { parent, after }) });
    }
    case "document.trashed":
      return put({ ...own, phase: "trashed" });
    case "document.purged":
      return put({ ...own, phase: "purged" });
    case "document.restored": {
      const away = pathOf(tree, own.parent).findLast(({ phase }) => phase !== "live");
      if (!away) return put({ ...own, phase: "live" });
      const { parent } = away;
      return put({ parent, rank: rankAt(tree, id, { parent, after: last }), phase: "live" });
    }
    default:
      return tree;
  }
}

/** Folds a workspace's events, in order, into a tree. */
export function treeOf(events: readonly TreeEvent[]): DocumentTree {
  return events.reduce(treeAfter, new Map<string, Placed>());
}
