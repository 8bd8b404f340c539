import type { Editor } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { narrowChange } from "../undo/narrow-change";
import { Finder, type FindQuery, hitFrom, type Hit } from "./hits";
import { replaceAll, replaceHit } from "./replacement";

/** What the bar says: how many places there are, and the number of the one that is shown, from 1. */
export type Found = { count: number; at: number };

/**
 * Looking for words in the text of an editor while it is written. The selection of the text stays
 * what it was: where the search stands is known here alone.
 */
export class FindSession {
  hits: readonly Hit[] = [];
  private finder: Finder;
  /** Where the search stands, and moves with the text. */
  private place: number;
  private doc: Editor["state"]["doc"];
  private readonly editor: Editor;
  private readonly onChange: () => void;

  /** `onChange` hears that there are other hits, or the same elsewhere. */
  constructor(editor: Editor, query: FindQuery, onChange: () => void) {
    this.editor = editor;
    this.onChange = onChange;
    this.finder = new Finder(query);
    this.place = editor.state.selection.from;
    this.doc = editor.state.doc;
    this.hits = this.finder.hitsIn(this.doc);
    editor.on("transaction", this.follow);
  }

  close(): void {
    this.editor.off("transaction", this.follow);
  }

  private readonly follow = ({ transaction }: { transaction: Transaction }) => {
    if (!transaction.docChanged) return;
    const change =
      transaction.getMeta(ySyncPluginKey) === undefined
        ? transaction.mapping
        : narrowChange(transaction.before, transaction.doc);
    this.place = change?.map(this.place, -1) ?? this.place;
    this.onChange();
  };

  /** Looks through what has changed since; everybody who asks for hits asks here first. */
  refresh(): void {
    const { doc } = this.editor.state;
    if (doc === this.doc) return;
    this.doc = doc;
    this.hits = this.finder.hitsIn(doc);
  }

  search(query: FindQuery): void {
    this.finder = new Finder(query);
    this.doc = this.editor.state.doc;
    this.hits = this.finder.hitsIn(this.doc);
  }

  get index(): number {
    return hitFrom(this.hits, this.place);
  }

  get current(): Hit | null {
    return this.hits[this.index] ?? null;
  }

  get found(): Found {
    return { count: this.hits.length, at: this.hits.length === 0 ? 0 : this.index + 1 };
  }

  /** Goes to the next hit (1) or the one before (-1), round the end. */
  step(by: 1 | -1): Hit | null {
    this.refresh();
    const { length } = this.hits;
    const next = this.hits[(this.index + by + length) % Math.max(1, length)] ?? null;
    if (next !== null) this.place = next.from;
    return next;
  }

  /** Replaces the hit that is shown, and stands at the one behind it. */
  replace(words: string): void {
    this.refresh();
    const hit = this.current;
    if (hit === null || !this.editor.isEditable) return;
    this.editor.view.dispatch(replaceHit(this.editor.state, hit, words));
    // What was put there is not looked through again.
    this.place = hit.from + words.length;
    this.refresh();
  }

  /** Replaces all of them in one step of Undo; answers how many there were. */
  replaceAll(words: string): number {
    this.refresh();
    if (!this.editor.isEditable) return 0;
    const { length } = this.hits;
    replaceAll(this.editor.view, this.hits, words);
    this.refresh();
    return length;
  }
}
