import { type LastSeen } from "./last-seen";

/** After so long out of sight somebody comes back, in milliseconds: as long as the silence that ends a session. */
const goodWhile = 30 * 60_000;

type Input = {
  isHidden: () => boolean;
  now: () => number;
  /** What was last seen, in whichever tab of this browser. */
  lastSeen: () => LastSeen | null;
  keepSeen: () => void;
  /** Reads what is new since then, and says it. */
  tell: (seen: LastSeen | null) => Promise<void>;
};

/**
 * Tells what is new when a page is opened and when it comes back into sight after a good while, and keeps what has been
 * seen as long as it is in sight. What could not be told, without a network say, is not marked as seen but tried again.
 */
export class NewsWatch {
  private readonly input: Input;
  private owed: { seen: LastSeen | null } | null;
  private telling = false;

  constructor(input: Input) {
    this.input = input;
    this.owed = { seen: input.lastSeen() };
    this.look();
  }

  /** To be called when the page came into sight or went from it. */
  sight(): void {
    const { isHidden, now, lastSeen, keepSeen } = this.input;
    if (isHidden()) {
      if (!this.owed) keepSeen();
      return;
    }
    const seen = lastSeen();
    if (!this.owed && seen && now() - Date.parse(seen.at) >= goodWhile) this.owed = { seen };
    this.look();
  }

  /** To be called when something new has come. */
  look(): void {
    const { isHidden, keepSeen, tell } = this.input;
    if (isHidden()) return;
    if (!this.owed) return keepSeen();
    if (this.telling) return;
    this.telling = true;
    void tell(this.owed.seen)
      .then(
        () => {
          this.owed = null;
          if (!isHidden()) keepSeen();
        },
        // Not to know what is new is no reason to disturb: the text itself is there.
        () => undefined,
      )
      .finally(() => {
        this.telling = false;
      });
  }

  /** To be called when the page goes. */
  leave(): void {
    if (!this.owed && !this.input.isHidden()) this.input.keepSeen();
  }
}
