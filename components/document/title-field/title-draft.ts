import { longestTitle } from "@/events/core/text/text-lengths";
import { mergedTitle } from "@/events/core/text/merged-title";
import { KeptTitles } from "./kept-titles";

/** A typed title, and the title that it replaces. */
export type TypedTitle = { title: string; replaces: string };

/**
 * The content of a title's field. Only `type` changes the title. Other content of the element, such
 * as a translator's or an extension's, is not read.
 */
export class TitleDraft {
  /** The titles of ended pages whose words this draft has taken. */
  readonly kept = new KeptTitles();
  private base: string;
  private typed: string | null = null;

  constructor(title: string) {
    this.base = title;
  }

  /** Returns the words that the field should show. */
  get words(): string {
    return this.typed ?? this.base;
  }

  /** Sets the words that the person has typed so far. */
  type(words: string): void {
    this.typed = words;
  }

  /** Applies words that were typed over an older title, and merges them with the current words. */
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
      // A title that cannot be merged is refused when it is sent, and the person sees the reason.
      if (merged === null) return;
      this.typed = merged;
    }
    this.base = title;
  }

  /** Returns the title to save and clears it, or returns null if nothing new was typed. */
  take(): TypedTitle | null {
    const { typed, base } = this;
    this.typed = null;
    if (typed === null || typed === base) return null;
    this.base = typed;
    return { title: typed, replaces: base };
  }
}
