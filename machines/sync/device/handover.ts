import { StoreFault } from "@/events/log/store";
import type { Store } from "@/events/log/store";

type LogStore = Pick<Store, "append" | "appendAtOnce" | "read">;

/**
 * Hands this tab's pending edits over to another tab that requests them. Afterwards this tab
 * appends nothing.
 */
export class Handover {
  private given = false;
  private resolve = () => {};
  /** Resolves once another tab has the edits. */
  readonly done = new Promise<void>((resolve) => (this.resolve = resolve));

  give(): void {
    this.given = true;
    this.resolve();
  }

  /** Wraps a store to refuse appends after the handover, when the other tab sends the edits. */
  guarded(store: LogStore): LogStore {
    return {
      read: (...call) => store.read(...call),
      appendAtOnce: (...call) => (this.given ? null : (store.appendAtOnce?.(...call) ?? null)),
      append: (...call) =>
        this.given
          ? Promise.reject(new StoreFault("handed over to another tab", 0))
          : store.append(...call),
    };
  }
}
