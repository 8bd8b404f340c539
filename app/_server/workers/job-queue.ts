/**
 * Jobs that wait for a worker, by owner. The next job belongs to the owner with the least processor
 * time, so that neither a few expensive jobs nor many jobs of one owner delay small jobs.
 */
export class JobQueue<Job> {
  private readonly queues = new Map<string, Job[]>();
  private readonly used = new Map<string, number>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  get size(): number {
    return [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Adds a job. In a full queue, returns the job that loses its place: the last job of the owner
   * with the most waiting jobs, or the added job itself.
   */
  add(owner: string, job: Job): Job | undefined {
    const own = this.queues.get(owner) ?? [];
    let dropped: Job | undefined;
    if (this.size >= this.most) {
      const longest = [...this.queues.values()].reduce((most, queue) =>
        queue.length > most.length ? queue : most,
      );
      // Owners with equally many jobs keep their places, or they would evict each other in turn.
      if (own.length + 1 >= longest.length) return job;
      dropped = longest.pop();
    }
    own.push(job);
    this.queues.set(owner, own);
    return dropped;
  }

  /** Removes a job that no longer waits. */
  remove(owner: string, job: Job): void {
    const own = this.queues.get(owner);
    if (!own?.includes(job)) return;
    own.splice(own.indexOf(job), 1);
    if (own.length === 0) this.queues.delete(owner);
  }

  /** Removes and returns the next job, or undefined if the queue is empty. */
  take(): Job | undefined {
    const [owner] = [...this.queues.keys()].sort((a, b) => this.usedBy(a) - this.usedBy(b));
    if (owner === undefined) return undefined;
    const own = this.queues.get(owner) ?? [];
    const job = own.shift();
    // The owner moves behind others with the same usage, or leaves the queue.
    this.queues.delete(owner);
    if (own.length > 0) this.queues.set(owner, own);
    return job;
  }

  /** Adds a job's processor time in milliseconds to its owner's usage. */
  charge(owner: string, milliseconds: number): void {
    this.used.set(owner, this.usedBy(owner) + milliseconds);
  }

  /** Resets all usage once the queue is empty. */
  forget(): void {
    if (this.queues.size === 0) this.used.clear();
  }

  private usedBy(owner: string): number {
    return this.used.get(owner) ?? 0;
  }
}
