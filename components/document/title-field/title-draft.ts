import { longestTitle } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";

/** A title that was typed, and the one in whose place it was typed. */
export type TypedTitle = { title: string; replaces: string };

/**
 * What a field of a title holds. Only `type` changes the title: whatever else stands in the page's element, as a
 * translator or an extension has left it, is not read.
 */
export class TitleDraft {
  private base: string;
  private typed: string | null = null;

  constructor(title: string) {
    this.base = title;
  }

  /** The words that the field should show. */
  get words(): string {
    return this.typed ?? this.base;
  }

  /** Takes the words that the person has typed so far. */
  type(words: string): void {
    this.typed = words;
  }

  /** Takes words that were typed in the place of an older title, merged with the one that there is now. */
  typeOver(replaces: string, words: string): void {
    const draft = new TitleDraft(replaces);
    draft.type(words);
    draft.arrive(this.base);
    this.type(draft.words);
  }

  /** Takes a title that this or another page has given, with the words that are being typed merged into it. */
  arrive(title: string): void {
    if (title === this.base) return;
    if (this.typed !== null) {
      const merged = mergedTitle(this.base, this.typed, title, longestTitle);
      // What cannot be merged is refused when it is sent, and its writer is told.
      if (merged === null) return;
      this.typed = merged;
    }
    this.base = title;
  }

  /** The title to be given, once; null where nothing new was typed. */
  take(): TypedTitle | null {
    const { typed, base } = this;
    this.typed = null;
    if (typed === null || typed === base) return null;
    this.base = typed;
    return { title: typed, replaces: base };
  }
}
