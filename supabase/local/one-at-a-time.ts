/**
 * Runs tasks of the same key in sequence, in order of arrival. Tasks of different keys run
 * concurrently.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    // The caller of a task handles its error.
    const turn = before.then(task, task);
    this.last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(key) === turn) this.last.delete(key);
    }
  }
}
