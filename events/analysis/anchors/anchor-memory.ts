import type { Anchor, CharacterId } from "./anchor";

/**
 * The outcome of an anchor's words according to the history: their first and last character, or
 * null if the words are gone.
 */
export type AnchorOutcome = { first: CharacterId; last: CharacterId } | null;

/** The known letters of each client, as the first clock that is not known. */
export type KnownClocks = ReadonlyMap<number, number>;

const keyOf = ({ start, end }: Anchor) => `${start} ${end}`;

/**
 * A page's knowledge of anchors whose words are not at their place: the history's answers so far.
 * Letters that the history did not hold may be returned words, until it is queried again.
 */
export class AnchorMemory {
  private known: KnownClocks;
  private readonly outcomes = new Map<string, AnchorOutcome>();
  private readonly open = new Map<string, Anchor>();
  private readonly seen = new Set<string>();

  /** `known`: the letters that the document held when the page opened. */
  constructor(known: KnownClocks) {
    this.known = known;
  }

  /**
   * Returns and clears the anchors that only the history can resolve, collected since the last
   * call.
   */
  takeOpen(): Anchor[] {
    const anchors = [...this.open.values()];
    this.open.clear();
    return anchors;
  }

  /** Whether the history was never queried for some of the collected anchors. */
  get hasUnasked(): boolean {
    return [...this.open.values()].some((anchor) => !this.has(anchor));
  }

  get hasOpen(): boolean {
    return this.open.size > 0;
  }

  /** Stores the answers of a history that holds all letters before the `known` clocks. */
  learn(answers: readonly { anchor: Anchor; outcome: AnchorOutcome }[], known: KnownClocks): void {
    this.known = known;
    for (const { anchor, outcome } of answers) this.outcomes.set(keyOf(anchor), outcome);
  }

  /** Records that the anchor's words were found by their own characters. */
  saw(anchor: Anchor): void {
    this.seen.add(keyOf(anchor));
  }

  /**
   * Whether words that are nowhere in the text are certainly gone. A page that has just opened must
   * query the history first.
   */
  isSureOf(anchor: Anchor): boolean {
    return this.has(anchor) || this.seen.has(keyOf(anchor));
  }

  /** Whether the history has answered a query for this anchor. */
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

  /**
   * Marks an anchor for a query, as only the history can decide whether new letters are its words.
   */
  doubt(anchor: Anchor): void {
    this.open.set(keyOf(anchor), anchor);
  }
}
