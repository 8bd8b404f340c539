import type { Node } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import * as Y from "yjs";
import { blockInHash, hashOfBlock } from "@/events/core/ids/block-key";
import { structAt } from "@/events/crdt/updates/struct-at";

/** Returns the shared text that an editor's state is bound to, or null without a binding. */
function sharedTextOf(state: EditorState): Y.XmlFragment | null {
  const bound: { type?: unknown } | undefined = ySyncPluginKey.getState(state);
  return bound?.type instanceof Y.XmlFragment ? bound.type : null;
}

/**
 * Returns the shared elements of a node's children, in order, or null if they do not match. They
 * differ, for example, in a list whose missing items the editor filled in.
 */
function elementsOf(parent: Y.XmlFragment, node: Node): Y.XmlElement[] | null {
  const elements = parent.toArray().filter((each) => each instanceof Y.XmlElement);
  const same =
    elements.length === node.childCount &&
    elements.every(({ nodeName }, index) => nodeName === node.child(index).type.name);
  return same ? elements : null;
}

/**
 * Returns the URL hash of the block at a position of the editor: a top-level block, or a nested one
 * such as a list item. Returns null if the shared text has no such block, for example in an empty
 * text.
 */
export function addressOfBlock(state: EditorState, position: number): string | null {
  let parent: Y.XmlFragment | null = sharedTextOf(state);
  let found: Y.ID | null = null;
  const place = state.doc.resolve(position);
  for (let depth = 0; depth <= place.depth && parent; depth += 1) {
    const node = place.node(depth);
    if (node.isTextblock || place.index(depth) >= node.childCount) break;
    const element: Y.XmlElement | undefined = elementsOf(parent, node)?.[place.index(depth)];
    found = element?._item?.id ?? found;
    parent = element ?? null;
  }
  return found && hashOfBlock(found.client, found.clock);
}

/** Returns the position of the block that a URL hash names, or null if the text lacks the block. */
export function blockAtAddress(state: EditorState, hash: string): number | null {
  const id = blockInHash(hash);
  const shared = sharedTextOf(state);
  const struct = id && shared?.doc ? structAt(shared.doc, id.client, id.clock) : null;
  if (!(struct instanceof Y.Item) || struct.deleted || struct.id.clock !== id?.clock) return null;
  const path: Y.XmlElement[] = [];
  const content = struct.content instanceof Y.ContentType ? struct.content.type : null;
  for (let at: unknown = content; at !== shared; at = at.parent) {
    if (!(at instanceof Y.XmlElement)) return null;
    path.unshift(at);
  }
  let node = state.doc;
  let parent: Y.XmlFragment | null = shared;
  let position = 0;
  for (const element of path) {
    const index: number = (parent && elementsOf(parent, node)?.indexOf(element)) ?? -1;
    if (index < 0) break;
    // Enters the parent node, unless the parent is the document itself.
    position += parent === shared ? 0 : 1;
    for (let before = 0; before < index; before += 1) position += node.child(before).nodeSize;
    node = node.child(index);
    parent = element;
  }
  return node === state.doc ? null : position;
}
