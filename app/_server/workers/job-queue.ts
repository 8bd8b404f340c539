/**
 * Jobs that wait for a worker, by owner. The next job belongs to the owner with the least processor
 * time, so that neither a few expensive jobs nor many jobs of one owner delay small ones.
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
   * Adds a job. In a full queue it returns the job that loses its place: the last one of the owner
   * with the most waiting jobs, or the added job itself.
   */
  add(owner: string, job: Job): Job | undefined {
    const own = this.queues.get(owner) ?? [];
    let dropped: Job | undefined;
    if (this.size >= this.most) {
      const longest = [...this.queues.values()].reduce((most, queue) =>
        queue.length > most.length ? queue : most,
      );
      // Equal owners keep their places; otherwise two of them would evict each other in turn.
      if (own.length + 1 >= longest.length) return job;
      dropped = longest.pop();
    }
    own.push(job);
    this.queues.set(owner, own);
    return dropped;
  }

  /** Takes a job out that waits no longer. */
  remove(owner: string, job: Job): void {
    const own = this.queues.get(owner);
    if (!own?.includes(job)) return;
    own.splice(own.indexOf(job), 1);
    if (own.length === 0) this.queues.delete(owner);
  }

  /** The next job; undefined where none waits. */
  take(): Job | undefined {
    const [owner] = [...this.queues.keys()].sort((a, b) => this.usedBy(a) - this.usedBy(b));
    if (owner === undefined) return undefined;
    const own = this.queues.get(owner) ?? [];
    const job = own.shift();
    // To the end of the line among those who have had as much, or out of it.
    this.queues.delete(owner);
    if (own.length > 0) this.queues.set(owner, own);
    return job;
  }

  /** Counts what a job of an owner took, in milliseconds. */
  charge(owner: string, milliseconds: number): void {
    this.used.set(owner, this.usedBy(owner) + milliseconds);
  }

  /** Forgets what everybody has had, once there is nobody who could have come later for it. */
  forget(): void {
    if (this.queues.size === 0) this.used.clear();
  }

  private usedBy(owner: string): number {
    return this.used.get(owner) ?? 0;
  }
}
