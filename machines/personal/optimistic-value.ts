type Change<T> = { apply: (value: T) => T; isRecorded: boolean };

/**
 * A database value with this tab's changes on top. A change is shown until the database refuses it,
 * or until the result of a read that started after it was recorded has arrived.
 */
export class OptimisticValue<T> {
  private confirmed: T;
  private shown: T;
  private changes: readonly Change<T>[] = [];
  private readsBegun = 0;
  private newestRead = 0;
  private readonly listeners = new Set<() => void>();

  constructor(initial: T) {
    this.confirmed = initial;
    this.shown = initial;
  }

  readonly value = (): T => this.shown;

  /** Calls `listener` at every change of the value. Returns the function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /**
   * Shows a change at once, and on top of every later read. The caller calls the returned function
   * with whether the database has recorded the change. `apply` may be called on a value that
   * already has the change.
   */
  change(apply: (value: T) => T): (isRecorded: boolean) => void {
    const change = { apply, isRecorded: false };
    this.changes = [...this.changes, change];
    this.show();
    return (isRecorded) => {
      change.isRecorded = isRecorded;
      if (!isRecorded) this.drop([change]);
    };
  }

  /**
   * Starts a read. The caller calls the returned function with the result, which is ignored if the
   * result of a later read has already arrived.
   */
  read(): (value: T) => void {
    const number = (this.readsBegun += 1);
    const covered = this.changes.filter(({ isRecorded }) => isRecorded);
    return (value) => {
      if (number < this.newestRead) return;
      this.newestRead = number;
      this.confirmed = value;
      this.drop(covered);
    };
  }

  private drop(ended: readonly Change<T>[]): void {
    this.changes = this.changes.filter((change) => !ended.includes(change));
    this.show();
  }

  private show(): void {
    this.shown = this.changes.reduce((value, { apply }) => apply(value), this.confirmed);
    for (const listener of this.listeners) listener();
  }
}
