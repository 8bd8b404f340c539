import type { Editor } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { narrowChange } from "../undo/narrow-change";
import { Finder, hitFrom } from "./hits";
import type { FindQuery, Hit } from "./hits";
import { replaceAll, replaceHit } from "./replacement";

/** The data that the bar shows: the number of hits, and the number of the current hit from 1. */
export type Found = { count: number; at: number };

/**
 * A search in the text of an editor while the text is edited. The search has its own position and
 * does not change the selection.
 */
export class FindSession {
  hits: readonly Hit[] = [];
  private finder: Finder;
  /** The position of the search, mapped through edits. */
  private place: number;
  private doc: Editor["state"]["doc"];
  private readonly editor: Editor;
  private readonly onChange: () => void;

  /** `onChange` is called when the hits or their positions change. */
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

  /** Searches the changed blocks again. Every access to the hits calls this first. */
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

  /** Moves to the next hit (1) or the previous one (-1), and wraps around. */
  step(by: 1 | -1): Hit | null {
    this.refresh();
    const { length } = this.hits;
    const next = this.hits[(this.index + by + length) % Math.max(1, length)] ?? null;
    if (next !== null) this.place = next.from;
    return next;
  }

  /** Replaces the current hit and moves to the next one. */
  replace(words: string): void {
    this.refresh();
    const hit = this.current;
    if (hit === null || !this.editor.isEditable) return;
    this.editor.view.dispatch(replaceHit(this.editor.state, hit, words));
    // The replacement itself is not searched.
    this.place = hit.from + words.length;
    this.refresh();
  }

  /** Replaces all hits in one undo step. Returns their number. */
  replaceAll(words: string): number {
    this.refresh();
    if (!this.editor.isEditable) return 0;
    const { length } = this.hits;
    replaceAll(this.editor.view, this.hits, words);
    this.refresh();
    return length;
  }
}
