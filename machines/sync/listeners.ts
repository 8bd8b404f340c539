/** Who hears of something, until they do not want to any more. */
export class Listeners<Told extends unknown[] = []> {
  private readonly listeners = new Set<(...told: Told) => void>();

  add(listener: (...told: Told) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  tell(...told: Told): void {
    for (const listener of this.listeners) listener(...told);
  }
}
