import { Extension } from "@tiptap/core";
import { Fragment, type Node, type NodeType, type Schema } from "@tiptap/pm/model";
import { Plugin, type Transaction } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { deepestText } from "@/events/content/text-schema";

/** Blocks that people put into each other; with their text they stay below what every reader takes. */
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
 * Has a schema make a node also of what is no complete one, such as a list whose last items two
 * people removed at once or an item that begins with a heading: with what is missing in its place.
 * A Yjs binding would delete it otherwise, for everybody. What was added is in this editor alone,
 * until somebody writes there.
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

/** Whether what a transaction changed is nested deeper than a text may be. */
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

/** Keeps what others wrote whole, and what is written here within what every reader takes. */
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
