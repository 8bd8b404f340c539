import { type LastSeen } from "@/components/workspace-state/last-seen";

/** After so long out of sight somebody comes back, in milliseconds: as long as the silence that ends a session. */
const goodWhile = 30 * 60_000;

type Input = {
  isHidden: () => boolean;
  now: () => number;
  /** What was last seen, in whichever tab of this browser. */
  lastSeen: () => LastSeen | null;
  storeLastSeen: () => void;
  /** Reads what is new since then, and says it. */
  announce: (seen: LastSeen | null) => Promise<void>;
};

/**
 * Tells what is new when a page is opened and when it comes back into sight after a good while, and keeps what has been
 * seen as long as it is in sight. What could not be told, without a network say, is not marked as seen but tried again.
 */
export class NewsWatch {
  private readonly input: Input;
  private owed: { seen: LastSeen | null } | null;
  private announcing = false;

  constructor(input: Input) {
    this.input = input;
    this.owed = { seen: input.lastSeen() };
    this.look();
  }

  /** To be called when the page came into sight or went from it. */
  sight(): void {
    const { isHidden, now, lastSeen, storeLastSeen } = this.input;
    if (isHidden()) {
      if (!this.owed) storeLastSeen();
      return;
    }
    const seen = lastSeen();
    if (!this.owed && seen?.at && now() - Date.parse(seen.at) >= goodWhile) this.owed = { seen };
    this.look();
  }

  /** To be called when something new has come. */
  look(): void {
    const { isHidden, storeLastSeen, announce } = this.input;
    if (isHidden()) return;
    if (!this.owed) return storeLastSeen();
    if (this.announcing) return;
    this.announcing = true;
    void announce(this.owed.seen)
      .then(
        () => {
          this.owed = null;
          if (!isHidden()) storeLastSeen();
        },
        // Not to know what is new is no reason to disturb: the text itself is there.
        () => undefined,
      )
      .finally(() => {
        this.announcing = false;
      });
  }

  /** To be called when the page goes. */
  leave(): void {
    if (!this.owed && !this.input.isHidden()) this.input.storeLastSeen();
  }
}
