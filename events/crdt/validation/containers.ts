import * as Y from "yjs";
import { structAt } from "@/events/crdt/updates/struct-at";
import type { Id } from "@/events/crdt/updates/yjs-update";

/**
 * A container of content. `name` is an element's name. For a `text`, it is the name of the element
 * around the text. `depth` counts the types above the container. The root has no id of its own.
 */
export type Container = {
  kind: "root" | "element" | "text" | "other";
  name: string;
  client: number;
  clock: number;
  depth: number;
};

/** The place of content: in its container's list, or as the value of an attribute. */
export type Place = { container: Container; key: string | null };

/**
 * The places of a document's content. Places inside deleted content are unknown (null), because
 * this content is never displayed and a document with garbage collection forgets it.
 */
export interface Containers {
  placeOf(id: Id): Place | null;
  /** Returns the container that the content with this id is, or null if it holds no content. */
  containerAt(id: Id): Container | null;
}

export const rootContainer: Container = { kind: "root", name: "", client: -1, clock: 0, depth: 0 };

function depthOf(type: Y.AbstractType<unknown>): number {
  let depth = 0;
  for (let at = type._item; at; at = at.parent instanceof Y.AbstractType ? at.parent._item : null)
    depth += 1;
  return depth;
}

function containerOf(doc: Y.Doc, type: unknown): Container | null {
  if (!(type instanceof Y.AbstractType)) return null;
  const item = type._item;
  if (!item)
    return doc.share.get("default") === type
      ? rootContainer
      : { ...rootContainer, kind: "other", client: -2 };
  if (item.deleted) return null;
  const place = { ...item.id, depth: depthOf(type) };
  if (type instanceof Y.XmlText)
    return {
      kind: "text",
      name: item.parent instanceof Y.XmlElement ? item.parent.nodeName : "",
      ...place,
    };
  return type instanceof Y.XmlElement
    ? { kind: "element", name: type.nodeName, ...place }
    : { kind: "other", name: "", ...place };
}

/**
 * Returns the places of a Yjs document's content. `current` returns the document at the time of
 * each call.
 */
export function containersOf(current: () => Y.Doc): Containers {
  return {
    placeOf: ({ client, clock }) => {
      const doc = current();
      const struct = structAt(doc, client, clock);
      const container = struct instanceof Y.Item ? containerOf(doc, struct.parent) : null;
      return container && struct instanceof Y.Item ? { container, key: struct.parentSub } : null;
    },
    containerAt: ({ client, clock }) => {
      const doc = current();
      const struct = structAt(doc, client, clock);
      return struct instanceof Y.Item && struct.content instanceof Y.ContentType
        ? containerOf(doc, struct.content.type)
        : null;
    },
  };
}
