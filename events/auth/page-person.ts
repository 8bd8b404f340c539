import { personHeader, type PersonOfPage } from "@/supabase/page-person";

/** The person that a page belongs to, from the first thing that it shows of them until it is loaded again. */
export class PagePerson implements PersonOfPage {
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

  /** Headers that name the person to the addresses of the product, which refuse them under another session. */
  named(given?: HeadersInit): Headers {
    const headers = new Headers(given);
    if (this.person !== null) headers.set(personHeader, this.person);
    return headers;
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
