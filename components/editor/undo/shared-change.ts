import type { Node } from "@tiptap/pm/model";
import { StepMap } from "@tiptap/pm/transform";
import { ContentFormat, isDeleted, XmlElement, XmlText } from "yjs";
import type { Item, Transaction, XmlFragment } from "yjs";
import { contentChange } from "./content-change";
import { structuralChange } from "./structural-change";

/**
 * Returns how a transaction changed an item, or null if the item was deleted before it, or was both
 * created and deleted in it.
 */
function outcomeOf(
  item: Item,
  { beforeState, deleteSet }: Transaction,
): "retained" | "new" | "deleted" | null {
  const isNew = item.id.clock >= (beforeState.get(item.id.client) ?? 0);
  if (!item.deleted) return isNew ? "new" : "retained";
  return !isNew && isDeleted(deleteSet, item.id) ? "deleted" : null;
}

function* itemsOf(type: XmlFragment | XmlText): Generator<Item> {
  for (let item = type._start; item !== null; item = item.right) yield item;
}

/** Thrown when the shared text differs from the editor, which adds nodes its schema requires. */
class Unlike extends Error {}

/** Merges adjacent ranges. */
class Ranges {
  readonly list: number[] = [];
  private old = 0;
  private now = 0;
  private removed = 0;
  private added = 0;
  retain(length: number): void {
    if (length === 0) return;
    this.close();
    this.old += length;
    this.now += length;
  }
  remove(length: number): void {
    this.removed += length;
    this.old += length;
  }
  add(length: number): void {
    this.added += length;
    this.now += length;
  }
  close(): { old: number; now: number } {
    if (this.removed > 0 || this.added > 0)
      this.list.push(this.old - this.removed, this.removed, this.added);
    this.removed = 0;
    this.added = 0;
    return { old: this.old, now: this.now };
  }
}

function walkInline(block: XmlFragment, transaction: Transaction, ranges: Ranges): void {
  const count = (item: Item, length: number, within: "retained" | "new" | "deleted" | null) => {
    const outcome = within === "retained" ? outcomeOf(item, transaction) : within;
    if (outcome === "new") ranges.add(length);
    else if (outcome === "deleted") ranges.remove(length);
    else if (outcome === "retained") ranges.retain(length);
  };
  for (const child of itemsOf(block)) {
    const type = "type" in child.content ? child.content.type : null;
    const outcome = outcomeOf(child, transaction);
    if (!(type instanceof XmlText)) count(child, 1, outcome);
    else if (outcome !== null) {
      for (const letters of itemsOf(type)) {
        if (letters.content instanceof ContentFormat) continue;
        // In a text that was created or deleted as a whole, items do not count if they were deleted
        // before or existed only within the transaction.
        const own = outcomeOf(letters, transaction);
        const counts =
          outcome === "new" ? !letters.deleted : outcome === "deleted" ? own === "deleted" : true;
        if (counts) count(letters, letters.length, outcome);
      }
    }
  }
}

function walkBlocks(
  parent: XmlFragment,
  before: Node,
  after: Node,
  transaction: Transaction,
  ranges: Ranges,
): void {
  const touched = new Set<unknown>(transaction.changedParentTypes.keys());
  let old = 0;
  let now = 0;
  for (const child of itemsOf(parent)) {
    const outcome = outcomeOf(child, transaction);
    if (outcome === null) continue;
    const type = "type" in child.content ? child.content.type : null;
    if (!(type instanceof XmlElement)) throw new Unlike();
    const [was, is] = [
      outcome === "new" ? null : before.maybeChild(old++),
      outcome === "deleted" ? null : after.maybeChild(now++),
    ];
    if (outcome === "deleted" && was) ranges.remove(was.nodeSize);
    else if (outcome === "new" && is) ranges.add(is.nodeSize);
    else if (!was || !is || was.type !== is.type) throw new Unlike();
    else if (!touched.has(type)) ranges.retain(is.nodeSize);
    else {
      ranges.retain(1);
      if (is.isTextblock) walkInline(type, transaction, ranges);
      else walkBlocks(type, was, is, transaction, ranges);
      ranges.retain(1);
    }
  }
  if (old !== before.childCount || now !== after.childCount) throw new Unlike();
}

/**
 * Returns the ranges of a transaction by the identity of created and deleted items, or null if the
 * shared text differs from the editor.
 */
function exactRanges(
  before: Node,
  after: Node,
  fragment: XmlFragment,
  transaction: Transaction,
): number[] | null {
  const ranges = new Ranges();
  try {
    walkBlocks(fragment, before, after, transaction, ranges);
  } catch (thrown) {
    if (thrown instanceof Unlike) return null;
    throw thrown;
  }
  const { old, now } = ranges.close();
  return old === before.content.size && now === after.content.size ? ranges.list : null;
}

/**
 * Returns the map of a remote change to a shared text: exact while its transaction is known, or
 * else by comparison. Words that were only split, joined or moved to another block type count as
 * the same words.
 */
export function sharedChange(
  before: Node,
  after: Node,
  known: { fragment: XmlFragment; transaction: Transaction } | null,
): StepMap {
  const exact =
    known === null ? null : exactRanges(before, after, known.fragment, known.transaction);
  if (exact === null) return contentChange(before, after);
  return structuralChange(before, after, exact) ?? new StepMap(exact);
}
