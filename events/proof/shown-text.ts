import * as Y from "yjs";
import type { ValidationRow } from "@/events/crdt/validation/validation";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { WholeState } from "@/events/crdt/validation/document-state";

type Run = [text: string, attributes: string];

/** Returns a text's letters and marks, independent of Yjs item boundaries. */
function runsOf(text: Y.XmlText): Run[] {
  const runs: Run[] = [];
  const delta: { insert: unknown; attributes?: Record<string, unknown> }[] = text.toDelta();
  for (const { insert, attributes = {} } of delta) {
    const [letters, worn] = [
      typeof insert === "string" ? insert : JSON.stringify(insert),
      JSON.stringify(Object.entries(attributes).sort()),
    ];
    const last = runs.at(-1);
    if (last?.[1] === worn) last[0] += letters;
    else runs.push([letters, worn]);
  }
  return runs;
}

function contentOf(node: Y.XmlFragment | Y.XmlElement): unknown[] {
  return node.toArray().map((child) => {
    if (child instanceof Y.XmlText) return runsOf(child);
    return child instanceof Y.XmlElement
      ? [child.nodeName, Object.entries(child.getAttributes()).sort(), contentOf(child)]
      : String(child);
  });
}

function reads(doc: Y.Doc): string {
  return JSON.stringify(contentOf(doc.getXmlFragment("default")));
}

/**
 * Folds a history from its first event and compares a displayed text with the result at its
 * version.
 */
export class ShownText {
  private readonly shown: WholeState;
  private fold: ConfirmedDocument | null = new ConfirmedDocument(null);
  private found: boolean | null = null;

  constructor(shown: WholeState) {
    this.shown = shown;
  }

  /**
   * Whether the log gives another text than the displayed text. Null until the fold has reached its
   * version.
   */
  get differs(): boolean | null {
    return this.found;
  }

  /** Folds the log's next row. Rows after the displayed version are ignored. */
  add(row: ValidationRow): void {
    if (!this.fold) return;
    this.fold.integrate(row);
    if (this.fold.version < this.shown.version) return;
    const doc = new Y.Doc();
    Y.applyUpdate(doc, this.shown.state);
    this.found = reads(doc) !== reads(this.fold.doc);
    for (const each of [doc, this.fold.doc]) each.destroy();
    this.fold = null;
  }
}
