import { Extension } from "@tiptap/core";
import { Fragment } from "@tiptap/pm/model";
import type { Node, NodeType, Schema } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { deepestText } from "@/events/content/text-schema";

/** The nesting limit of blocks, which leaves room for their text below every reader's limit. */
const deepest = deepestText - 4;

function fitted(
  type: NodeType,
  attributes: Record<string, unknown> | null,
  content: unknown,
): Node | null {
  const children = Fragment.from(Array.isArray(content) ? content : null);
  const marked = (each: Node) => each.mark(type.allowedMarks(each.marks));
  return (
    type.createAndFill(attributes, children) ??
    type.createAndFill(attributes, Fragment.from(children.content.map(marked)))
  );
}

/**
 * Makes a schema complete an invalid node instead of throwing. Two people may remove the last items
 * of a list at once, or an item may begin with a heading. Without this, a Yjs binding deletes such
 * a node for all clients. The added content exists in this editor only, until a person writes in
 * it.
 */
export function fitContent(schema: Schema): void {
  const make = schema.node.bind(schema);
  schema.node = (type, attributes, content, marks) => {
    try {
      return make(type, attributes, content, marks);
    } catch (error) {
      const known = typeof type === "string" ? schema.nodes[type] : type;
      const node =
        error instanceof RangeError && known ? fitted(known, attributes ?? null, content) : null;
      if (!node) throw error;
      return node;
    }
  };
}

function depthBetween(node: Node, from: number, to: number): number {
  let depth = 0;
  node.forEach((child, offset) => {
    if (child.isText || offset > to || offset + child.nodeSize < from) return;
    depth = Math.max(depth, 1 + depthBetween(child, from - offset - 1, to - offset - 1));
  });
  return depth;
}

/** Whether the changed ranges of a transaction are nested deeper than the limit. */
export function isTooDeep({ doc, mapping }: Pick<Transaction, "doc" | "mapping">): boolean {
  return mapping.maps.some((map, index) => {
    let found = false;
    map.forEach((_from, _to, start, end) => {
      const rest = mapping.slice(index + 1);
      found ||= depthBetween(doc, rest.map(start, -1), rest.map(end, 1)) > deepest;
    });
    return found;
  });
}

type FittingContentOptions = { onRefuse: (sentence: string) => void };

/** Completes invalid remote content, and refuses local changes that exceed the nesting limit. */
export const FittingContent = Extension.create<FittingContentOptions>({
  name: "fittingContent",
  addOptions() {
    return { onRefuse: () => undefined };
  },
  addProseMirrorPlugins() {
    fitContent(this.editor.schema);
    const { onRefuse } = this.options;
    return [
      new Plugin({
        filterTransaction: (transaction) => {
          if (
            !transaction.docChanged ||
            transaction.getMeta(ySyncPluginKey) !== undefined ||
            !isTooDeep(transaction)
          )
            return true;
          onRefuse(`Blocks can be nested up to ${deepest} levels deep, so this was left as it is.`);
          return false;
        },
      }),
    ];
  },
});
