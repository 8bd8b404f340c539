import { longestTitle } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";
import { KeptTitles } from "./kept-titles";

/** A typed title, and the title that it replaces. */
export type TypedTitle = { title: string; replaces: string };

/**
 * The content of a title's field. Only `type` changes the title: other content of the element, such
 * as that of a translator or an extension, is not read.
 */
export class TitleDraft {
  /** The titles of pages that ended, whose words this draft has taken. */
  readonly kept = new KeptTitles();
  private base: string;
  private typed: string | null = null;

  constructor(title: string) {
    this.base = title;
  }

  /** The words that the field should show. */
  get words(): string {
    return this.typed ?? this.base;
  }

  /** Sets the words that the person has typed so far. */
  type(words: string): void {
    this.typed = words;
  }

  /** Applies words that were typed over an older title, merged with those that it shows. */
  typeOver(replaces: string, words: string): void {
    const draft = new TitleDraft(replaces);
    draft.type(words);
    draft.arrive(this.words);
    this.type(draft.words);
  }

  /** Sets the title that this or another page has saved, and merges the typed words into it. */
  arrive(title: string): void {
    if (title === this.base) return;
    if (this.typed !== null) {
      const merged = mergedTitle(this.base, this.typed, title, longestTitle);
      // A title that cannot be merged is refused when it is sent, and the person sees why.
      if (merged === null) return;
      this.typed = merged;
    }
    this.base = title;
  }

  /** Takes the title to save, once; null when nothing new was typed. */
  take(): TypedTitle | null {
    const { typed, base } = this;
    this.typed = null;
    if (typed === null || typed === base) return null;
    this.base = typed;
    return { title: typed, replaces: base };
  }
}
