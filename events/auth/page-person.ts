import { personHeader } from "@/supabase/page-person";
import type { PersonOfPage } from "@/supabase/page-person";

/**
 * The account that a page belongs to, from the first content of it that the page shows until the
 * page is reloaded.
 */
export class PagePerson implements PersonOfPage {
  private person: string | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly doubters = new Set<() => void>();

  get id(): string | null {
    return this.person;
  }

  /**
   * Claims the page for a person; only the first claim counts. Returns whether the page belongs to
   * them.
   */
  claim(person: string): boolean {
    if (this.person === null) {
      this.person = person;
      for (const listener of this.listeners) listener();
    }
    return this.person === person;
  }

  /**
   * Headers with the person's id for the product's own endpoints, which refuse it under another
   * session.
   */
  named(given?: HeadersInit): Headers {
    const headers = new Headers(given);
    if (this.person !== null) headers.set(personHeader, this.person);
    return headers;
  }

  /** Calls back when the page has been claimed. */
  onClaimed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reports that a request was not sent because the session belongs to another person. */
  doubt(): void {
    for (const listener of this.doubters) listener();
  }

  /** Calls back when a request was not sent because the session belongs to another person. */
  onDoubt(listener: () => void): () => void {
    this.doubters.add(listener);
    return () => this.doubters.delete(listener);
  }
}
