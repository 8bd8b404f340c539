import { StoreFault, type Store } from "@/events/log/store";

type LogStore = Pick<Store, "append" | "appendAtOnce" | "read">;

/** Gives up what this tab keeps to another one that asks for it; from then on nothing is appended from here. */
export class Handover {
  private given = false;
  private resolve = () => {};
  /** Resolves once another tab has it. */
  readonly done = new Promise<void>((resolve) => (this.resolve = resolve));

  give(): void {
    this.given = true;
    this.resolve();
  }

  /** The store as long as nothing was given up: what another tab has taken over is its to send. */
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
