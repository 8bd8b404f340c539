import type { Anchor, CharacterId } from "./anchor";

/**
 * The outcome of an anchor's words by the history: their first and last character, or null if they
 * are gone.
 */
export type AnchorOutcome = { first: CharacterId; last: CharacterId } | null;

/** How much is known of each client's letters, by its next clock. */
export type KnownClocks = ReadonlyMap<number, number>;

const keyOf = ({ start, end }: Anchor) => `${start} ${end}`;

/**
 * What a page knows about anchors whose words are not at their place: the history's answers so far.
 * Letters that the history did not yet hold may be the words come back, until it is queried again.
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

  /**
   * Returns and clears the anchors that only the history can resolve, collected since the last
   * call.
   */
  takeOpen(): Anchor[] {
    const anchors = [...this.open.values()];
    this.open.clear();
    return anchors;
  }

  /** Whether the history was never queried for some of them. */
  get hasUnasked(): boolean {
    return [...this.open.values()].some((anchor) => !this.has(anchor));
  }

  get hasOpen(): boolean {
    return this.open.size > 0;
  }

  /** Takes the answers of a history that holds the letters before `known`. */
  learn(answers: readonly { anchor: Anchor; outcome: AnchorOutcome }[], known: KnownClocks): void {
    this.known = known;
    for (const { anchor, outcome } of answers) this.outcomes.set(keyOf(anchor), outcome);
  }

  /** Records that this anchor's words stand by their own characters. */
  saw(anchor: Anchor): void {
    this.seen.add(keyOf(anchor));
  }

  /**
   * Whether words that stand nowhere are certainly gone; a page that has just opened queries the
   * history first.
   */
  isSureOf(anchor: Anchor): boolean {
    return this.has(anchor) || this.seen.has(keyOf(anchor));
  }

  /** Whether the history has answered for this anchor. */
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
   * Marks an anchor for a query: only the history can tell whether some new letters are its words.
   */
  doubt(anchor: Anchor): void {
    this.open.set(keyOf(anchor), anchor);
  }
}
