import { type Anchor, type CharacterId } from "./anchor";

/** What became of an anchor's words by the history: their first and last character, or null where they are gone. */
export type AnchorOutcome = { first: CharacterId; last: CharacterId } | null;

/** How far something knows each client's letters, by the clock that comes next. */
export type KnownClocks = ReadonlyMap<number, number>;

const keyOf = ({ start, end }: Anchor) => `${start} ${end}`;

/**
 * What a page knows of anchors whose words are not where they were: what the history said, as far as
 * it was asked. Letters that the history did not hold by then may be the words come back, until
 * it is asked again.
 */
export class AnchorMemory {
  private known: KnownClocks;
  private readonly outcomes = new Map<string, AnchorOutcome>();
  private readonly open = new Map<string, Anchor>();
  private readonly seen = new Set<string>();

  /** `known`: the letters that stood when the page opened. */
  constructor(known: KnownClocks) {
    this.known = known;
  }

  /** The anchors that only the history can tell of, since these were asked for last. */
  takeOpen(): Anchor[] {
    const anchors = [...this.open.values()];
    this.open.clear();
    return anchors;
  }

  /** Whether there are some of which the history has not been asked at all. */
  get hasUnasked(): boolean {
    return [...this.open.values()].some((anchor) => !this.has(anchor));
  }

  get hasOpen(): boolean {
    return this.open.size > 0;
  }

  /** Takes in what a history said that holds the letters before `known`. */
  learn(answers: readonly { anchor: Anchor; outcome: AnchorOutcome }[], known: KnownClocks): void {
    this.known = known;
    for (const { anchor, outcome } of answers) this.outcomes.set(keyOf(anchor), outcome);
  }

  /** The words of this anchor stand by their own characters. */
  saw(anchor: Anchor): void {
    this.seen.add(keyOf(anchor));
  }

  /** Whether it is certain that words which stand nowhere are gone: a page that just opened asks the history first. */
  isSureOf(anchor: Anchor): boolean {
    return this.has(anchor) || this.seen.has(keyOf(anchor));
  }

  /** Whether the history has said what became of an anchor's words. */
  has(anchor: Anchor): boolean {
    return this.outcomes.has(keyOf(anchor));
  }

  outcomeOf(anchor: Anchor): AnchorOutcome {
    const outcome = this.outcomes.get(keyOf(anchor));
    if (outcome === undefined) this.doubt(anchor);
    return outcome ?? null;
  }

  isNew({ client, clock }: CharacterId): boolean {
    return clock >= (this.known.get(client) ?? 0);
  }

  /** Only the history can tell whether some new letters are these words. */
  doubt(anchor: Anchor): void {
    this.open.set(keyOf(anchor), anchor);
  }
}
