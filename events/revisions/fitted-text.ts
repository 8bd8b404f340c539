import { Fragment } from "@tiptap/pm/model";
import type { Node } from "@tiptap/pm/model";
import type { DocumentJson } from "@/events/history/timeline/full-history-text";
import { documentSchema } from "@/events/content/schema";

class Fitter {
  /** Whether any content was changed. */
  mended = false;

  fit(node: DocumentJson): Node[] {
    if (node.text !== undefined) return [this.words(node)];
    const content = (node.content ?? []).flatMap((child) => this.fit(child));
    const type = documentSchema.nodes[node.type];
    if (!type) {
      this.mended = true;
      return content;
    }
    const attrs = node.attrs ?? null;
    const inside = Fragment.fromArray(content);
    if (type.validContent(inside)) return [type.create(attrs, inside)];
    this.mended = true;
    const isCell = type.name === "tableCell" || type.name === "tableHeader";
    // A list without items, or a row without cells, is removed because it has no content.
    if (content.length === 0 && !isCell && type !== documentSchema.topNodeType) return [];
    const whole = type.createAndFill(attrs, inside);
    return whole ? [whole] : content;
  }

  private words({ text = "", marks = [] }: DocumentJson): Node {
    const known = marks.flatMap(({ type, attrs }) => {
      const mark = documentSchema.marks[type];
      return mark ? [mark.create(isRecord(attrs) ? attrs : null)] : [];
    });
    if (known.length < marks.length) this.mended = true;
    return documentSchema.text(text, known);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Makes a document valid for this version's editor, since selective reverts may leave it invalid.
 * Replaces unknown nodes by their content, removes lists without items, and adds a paragraph to
 * items without one. Returns null if the document is already valid.
 */
export function fitted(doc: DocumentJson): Node | null {
  const fitter = new Fitter();
  const [root] = fitter.fit(doc);
  if (!fitter.mended) return null;
  if (root?.type === documentSchema.topNodeType) return root;
  const blocks = Fragment.fromArray(fitter.fit(doc).filter((node) => node.isBlock));
  return (
    documentSchema.topNodeType.createAndFill(null, blocks) ??
    documentSchema.topNodeType.createAndFill()
  );
}
