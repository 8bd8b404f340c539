import type { Node } from "@tiptap/pm/model";
import { EditorState, TextSelection } from "@tiptap/pm/state";
import type { Plugin, Transaction } from "@tiptap/pm/state";
import * as Y from "yjs";
import { ownUndoPlugin, takeStepBack } from "./undo/own-undo";
import { documentSchema } from "@/events/content/schema";
import { sharedTextPlugins } from "./binding/shared-text";

type Views = { update?: (view: unknown, before: EditorState) => void; destroy?: () => void };

/**
 * An editor without a page: its state, bound to a shared document by the real binding, and its undo
 * steps.
 */
export class BoundText {
  state: EditorState;
  readonly hasFocus = () => false;
  private views: Views[] = [];

  doc: Y.Doc;

  constructor(doc: Y.Doc, plugins: readonly Plugin[] = []) {
    this.doc = doc;
    const fragment = doc.getXmlFragment("default");
    this.state = EditorState.create({
      schema: documentSchema,
      plugins: [ownUndoPlugin(), ...sharedTextPlugins(fragment), ...plugins],
    });
    this.watch();
  }

  /** Binds the editor to another document, like a page that rebuilds its document. */
  rebind(doc: Y.Doc): void {
    this.destroy();
    this.doc = doc;
    const [steps, , , ...plugins] = this.state.plugins;
    if (!steps) throw new Error("No steps");
    this.state = this.state.reconfigure({
      plugins: [steps, ...sharedTextPlugins(doc.getXmlFragment("default")), ...plugins],
    });
    this.watch();
  }

  private watch(): void {
    for (const plugin of this.state.plugins) {
      const view: unknown = plugin.spec.view;
      if (typeof view !== "function") continue;
      const made: Views = Reflect.apply(view, plugin.spec, [this]);
      this.views.push(made);
    }
  }

  readonly dispatch = (transaction: Transaction): void => {
    const before = this.state;
    this.state = before.apply(transaction);
    for (const view of this.views) view.update?.(this, before);
  };

  get text(): string {
    return this.state.doc.textBetween(0, this.state.doc.content.size, "|", " ");
  }

  /** Types letter by letter, at `at` or at the caret. */
  type(words: string, at?: number): void {
    if (at !== undefined) this.caret(at);
    for (const letter of words)
      this.dispatch(
        letter === "\n"
          ? this.state.tr.split(this.state.selection.from)
          : this.state.tr.insertText(letter),
      );
  }

  caret(anchor: number, head = anchor): void {
    this.dispatch(this.state.tr.setSelection(TextSelection.create(this.state.doc, anchor, head)));
  }

  deleted(from: number, to: number): void {
    this.dispatch(this.state.tr.delete(from, to));
  }

  /** Returns the position of these words. */
  find(words: string): number {
    let found = -1;
    this.state.doc.descendants((node: Node, at) => {
      const index = node.isText ? (node.text ?? "").indexOf(words) : -1;
      if (index >= 0 && found < 0) found = at + index;
    });
    if (found < 0) throw new Error(`No text ${words}`);
    return found;
  }

  undo(): boolean {
    return this.taken("undo");
  }

  redo(): boolean {
    return this.taken("redo");
  }

  private taken(kind: "undo" | "redo"): boolean {
    const transaction = this.state.tr;
    const did = takeStepBack(kind, transaction, this.state);
    if (did) this.dispatch(transaction);
    return did;
  }

  destroy(): void {
    for (const view of this.views) view.destroy?.();
    this.views = [];
  }
}

/** Creates two people in one text, whose edits reach each other at once or on `meet`. */
export function pair(live = true): { ana: BoundText; ben: BoundText; meet: () => void } {
  const docs = [new Y.Doc(), new Y.Doc()] as const;
  docs.forEach((doc, index) => (doc.clientID = index + 1));
  const [ana, ben] = [new BoundText(docs[0]), new BoundText(docs[1])];
  const meet = () => {
    const states = docs.map((doc) => Y.encodeStateAsUpdate(doc));
    docs.forEach((doc, index) =>
      Y.applyUpdate(doc, states[1 - index] ?? new Uint8Array(), "network"),
    );
  };
  if (live) {
    docs.forEach((doc, index) =>
      doc.on("update", (update: Uint8Array, origin: unknown) => {
        const other = docs[1 - index];
        if (origin !== "network" && other) Y.applyUpdate(other, update, "network");
      }),
    );
  }
  return { ana, ben, meet };
}
