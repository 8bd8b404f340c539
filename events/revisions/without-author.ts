import * as Y from "yjs";
import { returnsOf, undoneReturns } from "@/events/analysis/lineage/returns";
import { rewritingOf } from "@/events/analysis/rewriting";
import {
  type LivedUnit,
  type RecordedDocument,
  stillStands,
} from "@/events/history/recorded-document";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";
import { never } from "@/events/crdt/updates/lifespans";
import { type Id } from "@/events/crdt/updates/yjs-update";
import { type Keeping } from "./selective-revert";
import { UnitChains } from "./unit-chains";

/**
 * Something that was one thing after the other: each with its life, where it stood, and whether an edit wrote it again
 * there.
 */
type Link<Unit> = { unit: Unit; born: number; died: number; place: Unit | null; moved: boolean };

/** Whether what was written, taken out or brought back at a revision counts as not done. */
type Undone = Record<"undone" | "removalUndone" | "returnUndone", (revision: number) => boolean>;

/**
 * Which of the units that a letter or a node was has to stand, if what was done at some revisions had not been done;
 * null where none has.
 */
function standingUnit<Unit>(
  chain: readonly Link<Unit>[],
  { undone, removalUndone, returnUndone }: Undone,
  canStand: (unit: Unit) => boolean,
): Unit | null {
  const [first] = chain;
  if (!first || undone(first.born)) return null;
  let stands = true;
  /** Where it stands: what an edit wrote again elsewhere stands there, unless that edit is undone. */
  let at = first.place;
  const instead = new Map<Unit | null, Unit | null>();
  for (const [index, { born, died, place, moved }] of chain.entries()) {
    if (index > 0 && moved) {
      if (undone(born)) instead.set(place, instead.get(at) ?? at);
      at = place;
    } else if (index > 0 && !returnUndone(born)) {
      stands = true;
      at = place;
    }
    const movesOn = chain[index + 1]?.moved === true;
    if (died !== never && !movesOn && !removalUndone(died)) stands = false;
  }
  if (!stands) return null;
  // What a restore has carried along stays where it stands.
  const standing = chain.find(stillStands);
  if (standing && chain.some(({ moved }, index) => index > 0 && !moved)) return standing.unit;
  const wanted = instead.get(at) ?? at;
  const there = chain.filter(({ place }) => place === wanted);
  const chosen = there.find(stillStands) ?? there.at(-1);
  if (chosen && canStand(chosen.unit)) return chosen.unit;
  return (standing ?? chosen)?.unit ?? null;
}

function itemOf({ doc }: RecordedDocument, { client, clock }: Id): Y.Item | null {
  const found = Y.getItem(doc.store, Y.createID(client, clock));
  return found instanceof Y.Item ? found : null;
}

function parentOf({ parent }: Y.Item): Y.Item | null {
  return parent instanceof Y.AbstractType ? parent._item : null;
}

/**
 * The text without what was done at some revisions: what was written then goes, also where it was brought back since;
 * what went then comes back. What others did since stays: they keep what they wrote, and what they took away does not
 * return. `returning` is what becomes of others' words that were brought back then.
 */
export function withoutWriting(
  timeline: Timeline,
  record: RecordedDocument,
  undone: (revision: number) => boolean,
  returning: "stays" | "goes",
): Keeping {
  const script = scriptOf(timeline);
  const rewriting = rewritingOf(timeline);
  const returns = returnsOf(timeline);
  const units = new UnitChains(record, returns);
  const isUndone = undoneReturns(returns, undone);
  const revisions: Undone = {
    undone,
    removalUndone: (revision) => undone(revision) || isUndone(revision),
    returnUndone: (revision) => (returning === "goes" && undone(revision)) || isUndone(revision),
  };
  const decided = new Map<number, number | null>();
  const idAt = (at: number): Id | null => {
    const { textblock, offset } = script.placeAt(at);
    const own = script.textblocks[textblock];
    return own ? idOf(own, offset) : null;
  };
  /** Whether the nodes that a letter stood in stand or return. */
  const hasBlock = (at: number): boolean => {
    const id = idAt(at);
    let item = id && itemOf(record, id);
    for (item = item && parentOf(item); item; item = parentOf(item)) {
      if (!item.deleted) continue;
      if (!keepPredicate(record.lifeOf(item.id.client, item.id.clock))) return false;
    }
    return true;
  };
  const standingLetter = (at: number): number | null => {
    const chain = rewriting.chainOf(at);
    const first = chain[0] ?? at;
    const { textblock: block, offset: own } = script.placeAt(at);
    const beside = script.textblocks[block];
    // A copy beside one that stands continues nothing, and is its writer's still.
    if (!chain.includes(at)) {
      const { textblock, offset } = script.placeAt(first);
      const isUndone = undone(script.textblocks[textblock]?.born[offset] ?? 0);
      return !isUndone && beside?.died[own] === never ? at : null;
    }
    const key = first;
    const known = decided.get(key);
    if (known !== undefined) return known;
    const made = standingUnit(
      chain.map((each): Link<number> => {
        const { textblock, offset } = script.placeAt(each);
        const { born, died } = script.textblocks[textblock] ?? {};
        return {
          unit: each,
          born: born?.[offset] ?? 0,
          died: died?.[offset] ?? never,
          place: rewriting.standOf(each),
          moved: !rewriting.isReturned(each),
        };
      }),
      revisions,
      hasBlock,
    );
    decided.set(key, made);
    return made;
  };
  const nameOf = ({ client, clock }: LivedUnit) => `${client}:${clock}`;
  const letterOf = ({ client, clock }: LivedUnit): number | null => {
    const place = script.placeOf(client, clock);
    const textblock = place && script.textblocks[place.textblock];
    return textblock ? textblock.start + place.offset : null;
  };
  const keepPredicate = (unit: LivedUnit): boolean => {
    const at = letterOf(unit);
    if (at !== null) return standingLetter(at) === at;
    const chain = units
      .chainOf(unit)
      .map((each) => ({ ...each, unit: nameOf(each), place: null, moved: false }));
    return standingUnit(chain, revisions, () => true) === nameOf(unit);
  };
  const chainOf = (unit: LivedUnit): readonly Id[] => {
    const at = letterOf(unit);
    if (at === null) return units.chainOf(unit);
    return rewriting.chainOf(at).flatMap((each) => idAt(each) ?? []);
  };
  return { keepPredicate, chainOf };
}
