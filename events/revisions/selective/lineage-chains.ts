import * as Y from "yjs";
import type { Return } from "@/events/analysis/lineage/returns";
import type { LetterChains } from "@/events/analysis/rewritten/letter-chains";
import { rewritingOf } from "@/events/analysis/rewriting";
import type { Rewriting } from "@/events/analysis/rewriting";
import { never } from "@/events/crdt/updates/lifespans";
import type { Id } from "@/events/crdt/updates/yjs-update";
import type { LivedUnit, RecordedDocument } from "@/events/history/recorded-document";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { Script } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import { UnitChains } from "../unit-chains";

/**
 * One of the successive units of a letter, node or mark: the place where it stood, and whether an
 * edit rewrote it there (`moved`) or an event restored it.
 */
export type Link = LivedUnit & { place: string; moved: boolean };

const nameOf = ({ client, clock }: Id) => `${client}:${clock}`;

/** Selects the unit of a chain that is to stand, or null for none. */
type Decision = (chain: readonly Link[]) => Id | null;

/** The predecessors and successors of every unit of a recorded document. */
export class LineageChains {
  private readonly record: RecordedDocument;
  private readonly script: Script;
  private readonly letters: LetterChains;
  private readonly nodes: UnitChains;

  constructor(
    timeline: Timeline,
    record: RecordedDocument,
    returns: readonly Return[],
    { letters }: Rewriting = rewritingOf(timeline),
  ) {
    this.record = record;
    this.script = scriptOf(timeline);
    this.letters = letters;
    this.nodes = new UnitChains(record, returns);
  }

  /** Returns the units of a letter or node, in order of time. */
  idsOf = (unit: LivedUnit): readonly Id[] => {
    const at = this.letterOf(unit);
    if (at === null) return this.nodes.chainOf(unit);
    return this.letters.chainOf(at).flatMap((each) => this.idAt(each) ?? []);
  };

  /** Returns a predicate that decides once per chain: a unit stands if it is the selected one. */
  deciding(decide: Decision): (unit: LivedUnit) => boolean {
    const letters = new Map<number, Id | null>();
    const nodes = new Map<string, Id | null>();
    const isChosen = (unit: LivedUnit, chosen: Id | null) =>
      chosen?.client === unit.client && chosen.clock === unit.clock;
    return (unit) => {
      const at = this.letterOf(unit);
      if (at === null) {
        const chain = this.nodes.chainOf(unit);
        const key = nameOf(chain[0] ?? unit);
        const known = nodes.get(key);
        const chosen =
          known === undefined
            ? decide(chain.map((each) => ({ ...each, place: nameOf(each), moved: false })))
            : known;
        nodes.set(key, chosen);
        return isChosen(unit, chosen);
      }
      const chain = this.letters.chainOf(at);
      // A copy beside a standing unit does not continue it. The copy is a separate letter by the
      // same writer.
      if (!chain.includes(at)) {
        const first = this.linkAt(chain[0] ?? at);
        return isChosen(unit, decide([{ ...this.linkAt(at), born: first.born, moved: false }]));
      }
      const key = chain[0] ?? at;
      const known = letters.get(key);
      const chosen = known === undefined ? decide(chain.map((each) => this.linkAt(each))) : known;
      if (chain.length > 1) letters.set(key, chosen);
      return isChosen(unit, chosen);
    };
  }

  private linkAt(at: number): Link {
    const { textblock, offset } = this.script.placeAt(at);
    const own = this.script.textblocks[textblock];
    const { client, clock } = this.idAt(at) ?? { client: 0, clock: 0 };
    return {
      client,
      clock,
      born: own?.born[offset] ?? 0,
      died: own?.died[offset] ?? never,
      place: String(this.letters.standOf(at)),
      moved: !this.letters.isReturned(at),
    };
  }

  private idAt(at: number): Id | null {
    const { textblock, offset } = this.script.placeAt(at);
    const own = this.script.textblocks[textblock];
    return own ? idOf(own, offset) : null;
  }

  private letterOf({ client, clock }: Id): number | null {
    const place = this.script.placeOf(client, clock);
    const textblock = place && this.script.textblocks[place.textblock];
    return textblock ? textblock.start + place.offset : null;
  }

  /** Yields the nodes that contain a unit, the innermost first. */
  *blocksAround({ client, clock }: Id): Generator<Y.Item> {
    const found = Y.getItem(this.record.doc.store, Y.createID(client, clock));
    for (let item = found instanceof Y.Item ? parentOf(found) : null; item; item = parentOf(item))
      yield item;
  }
}

function parentOf({ parent }: Y.Item): Y.Item | null {
  return parent instanceof Y.AbstractType ? parent._item : null;
}
