import type { ContentMatch, NodeType } from "@tiptap/pm/model";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { AbstractType, XmlElement, XmlFragment, XmlHook, XmlText } from "yjs";
import type { Transaction } from "yjs";
import { bounds, deepestText, within } from "@/events/content/text-schema";
import { documentSchema } from "@/events/content/schema";

const deepest = deepestText;
/** Why an editor must not bind a text: a newer build wrote it, or its structure is invalid. */
export type Unreadable = "newer" | "malformed";

const allowedChildren = new Map<NodeType, Set<NodeType>>();

function childrenOf(type: NodeType): Set<NodeType> {
  const known = allowedChildren.get(type);
  if (known !== undefined) return known;
  const allowed = new Set<NodeType>();
  const seen = new Set<ContentMatch>();
  const walk = (match: ContentMatch) => {
    if (seen.has(match)) return;
    seen.add(match);
    for (let index = 0; index < match.edgeCount; index += 1) {
      const edge = match.edge(index);
      allowed.add(edge.type);
      walk(edge.next);
    }
  };
  walk(type.contentMatch);
  allowedChildren.set(type, allowed);
  return allowed;
}

function inspectText(text: XmlText): Unreadable | null {
  const runs: { insert?: unknown; attributes?: Record<string, unknown> }[] = text.toDelta();
  for (const run of runs) {
    if (typeof run.insert !== "string") return "malformed";
    for (const name of Object.keys(run.attributes ?? {})) {
      if (documentSchema.marks[name.replace(/--[a-zA-Z0-9+/=]{8}$/, "")] === undefined)
        return "malformed";
    }
  }
  return null;
}

function inspectAttributes(type: NodeType, element: XmlElement): Unreadable | null {
  const attributes: Record<string, unknown> = element.getAttributes();
  for (const [name, value] of Object.entries(attributes)) {
    if (!Object.hasOwn(type.spec.attrs ?? {}, name)) return "malformed";
    if (name !== "colspan" && name !== "rowspan") continue;
    if (value !== within(value, bounds.span)) return "malformed";
  }
  return null;
}

/**
 * Inspects a type and those of its children that `isNew` accepts. Returns null if an editor may
 * show them.
 */
function inspectType(
  type: object,
  depth: number,
  isNew: (child: XmlElement | XmlText) => boolean,
): Unreadable | null {
  if (depth > deepest) return "malformed";
  if (type instanceof XmlText) return inspectText(type);
  if (type instanceof XmlHook || !(type instanceof XmlFragment)) return "malformed";
  const own =
    type instanceof XmlElement ? documentSchema.nodes[type.nodeName] : documentSchema.topNodeType;
  if (own === undefined) return "malformed";
  if (type instanceof XmlElement) {
    if (own.isText || own === documentSchema.topNodeType) return "malformed";
    const attributes = inspectAttributes(own, type);
    if (attributes !== null) return attributes;
  }
  const allowed = childrenOf(own);
  for (const child of type.toArray()) {
    if (!(child instanceof XmlElement) && !(child instanceof XmlText)) return "malformed";
    const childType =
      child instanceof XmlText ? documentSchema.nodes.text : documentSchema.nodes[child.nodeName];
    if (childType === undefined) return "malformed";
    if (!allowed.has(childType)) return "malformed";
    if (!isNew(child)) continue;
    const inside = inspectType(child, depth + 1, isNew);
    if (inside !== null) return inside;
  }
  return null;
}

/** Inspects a whole text. Returns null if an editor of this build may bind it, else the reason. */
export function inspectContent(fragment: XmlFragment): Unreadable | null {
  return inspectType(fragment, 0, () => true);
}

function depthWithin(fragment: XmlFragment, type: unknown): number | null {
  let depth = 0;
  for (let at = type; at instanceof AbstractType && depth <= deepest; at = at.parent) {
    if (at === fragment) return depth;
    depth += 1;
  }
  return depth > deepest ? depth : null;
}

/**
 * Watches remote changes. Calls `onUnreadable` once, before any binding has processed the change,
 * if a change holds content that this build cannot represent. The callback must destroy the editor
 * synchronously, because a binding deletes unknown content from the shared document. Returns the
 * function that stops watching.
 */
export function guardContent(
  fragment: XmlFragment,
  onUnreadable: (why: Unreadable) => void,
): () => void {
  const { doc } = fragment;
  if (doc === null) throw new Error("The fragment is not in a Y.Doc");
  const inspect = (transaction: Transaction) => {
    if (transaction.origin === ySyncPluginKey) return;
    const isNew = (child: XmlElement | XmlText) => {
      const id = child._item?.id;
      return id === undefined || id.clock >= (transaction.beforeState.get(id.client) ?? 0);
    };
    for (const type of transaction.changed.keys()) {
      const depth = depthWithin(fragment, type);
      const why = depth === null ? null : inspectType(type, depth, isNew);
      if (why === null) continue;
      stop();
      onUnreadable(why);
      return;
    }
  };
  const stop = () => doc.off("beforeObserverCalls", inspect);
  doc.on("beforeObserverCalls", inspect);
  return stop;
}
