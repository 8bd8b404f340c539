import type { LastSeen } from "@/components/workspace-state/last-seen";

/**
 * The hidden time after which a return counts as a new visit, in ms; equal to the pause that ends a
 * session.
 */
const goodWhile = 30 * 60_000;

type Input = {
  isHidden: () => boolean;
  now: () => number;
  /** The version last seen in any tab of this browser. */
  lastSeen: () => LastSeen | null;
  storeLastSeen: () => void;
  /** Reads and reports what is new since then. */
  announce: (seen: LastSeen | null) => Promise<void>;
};

/**
 * Reports news when a page is opened and when it becomes visible after a long time, and stores what
 * was seen while it is visible. News that could not be reported, for example offline, is not marked
 * as seen and is retried.
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

  /** Call it when the page becomes visible or hidden. */
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

  /** Call it when something new has arrived. */
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
        // A failure stays silent: the text itself is there.
        () => undefined,
      )
      .finally(() => {
        this.announcing = false;
      });
  }

  /** Call it when the page is left. */
  leave(): void {
    if (!this.owed && !this.input.isHidden()) this.input.storeLastSeen();
  }
}
