import { personHeader } from "@/supabase/page-person";
import type { PersonOfPage } from "@/supabase/page-person";

/**
 * The account that a page belongs to: claimed with the first content that the page shows and
 * unchanged until the page is reloaded.
 */
export class PagePerson implements PersonOfPage {
  private person: string | null = null;
  private readonly listeners = new Set<() => void>();
  private readonly doubters = new Set<() => void>();

  get id(): string | null {
    return this.person;
  }

  /**
   * Claims the page for a person. Only the first claim counts. Returns whether the page belongs to
   * the person.
   */
  claim(person: string): boolean {
    if (this.person === null) {
      this.person = person;
      for (const listener of this.listeners) listener();
    }
    return this.person === person;
  }

  /**
   * Returns headers with the person's id. The product's own endpoints refuse a request whose
   * session belongs to another person.
   */
  named(given?: HeadersInit): Headers {
    const headers = new Headers(given);
    if (this.person !== null) headers.set(personHeader, this.person);
    return headers;
  }

  /** Calls the listener when the page is claimed. */
  onClaimed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Reports that a request was not sent because the session belongs to another person. */
  doubt(): void {
    for (const listener of this.doubters) listener();
  }

  /** Calls the listener when a request was withheld because the session is another person's. */
  onDoubt(listener: () => void): () => void {
    this.doubters.add(listener);
    return () => this.doubters.delete(listener);
  }
}
