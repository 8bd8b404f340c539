import type { LastSeen } from "@/components/workspace-state/last-seen";

/**
 * The hidden time in ms after which a return counts as a new visit, equal to the pause that ends a
 * session.
 */
const goodWhile = 30 * 60_000;

type Input = {
  isHidden: () => boolean;
  now: () => number;
  /** Returns the version that was last seen in any tab of this browser. */
  lastSeen: () => LastSeen | null;
  storeLastSeen: () => void;
  /** Reads and reports the changes since `seen`. */
  announce: (seen: LastSeen | null) => Promise<void>;
};

/**
 * Reports news when a page is opened and when it becomes visible after a long time. Stores the seen
 * version while the page is visible. If news could not be reported, for example offline, it is not
 * marked as seen and the report is retried.
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

  /** Handles a change of the page's visibility. */
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

  /** Handles a new version of the document. */
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
        // A failure stays silent, because the text itself is shown.
        () => undefined,
      )
      .finally(() => {
        this.announcing = false;
      });
  }

  /** Stores the seen version when the page is left. */
  leave(): void {
    if (!this.owed && !this.input.isHidden()) this.input.storeLastSeen();
  }
}
