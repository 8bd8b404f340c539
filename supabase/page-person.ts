/**
 * The header that names the person for whom a page asks. The product's own addresses compare it with the session of the
 * request; `personFetch` compares it with the token, and sends it no further.
 */
export const personHeader = "x-palimpsest-person";

/**
 * The person that a page belongs to, from the first thing that it shows of them until it is loaded again. A browser has
 * one session, which another tab may replace at any moment, while the words on a page stay those of the person who
 * typed them.
 */
export class PagePerson {
  private person: string | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly doubters = new Set<() => void>();

  get id(): string | null {
    return this.person;
  }

  /** Says whose page this is; the first call counts. Answers whether it is theirs. */
  claim(person: string): boolean {
    if (this.person === null) {
      this.person = person;
      for (const listener of this.listeners) listener();
    }
    return this.person === person;
  }

  /** Calls back when it is known whose page this is. */
  onClaimed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Says that something was not sent because the session is another person's. */
  doubt(): void {
    for (const listener of this.doubters) listener();
  }

  /** Calls back when something was not sent because the session is another person's. */
  onDoubt(listener: () => void): () => void {
    this.doubters.add(listener);
    return () => this.doubters.delete(listener);
  }
}
