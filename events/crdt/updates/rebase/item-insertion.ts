import * as Y from "yjs";

type AnyType = Y.ContentType["type"];

/**
 * The place at which an item is inserted: after `left` in a type's list or, with a key, as the new
 * value of that key.
 */
export type ItemPlace = { parent: AnyType; left: Y.Item | null; key?: string };

/**
 * Writes one item as the transaction's client. Yjs's editing methods do the same, but only for the
 * content that they support.
 */
export function insertItem(
  transaction: Y.Transaction,
  { parent, left, key }: ItemPlace,
  content: Y.Item["content"],
): Y.Item {
  const { doc } = transaction;
  const right = key !== undefined ? null : left ? left.right : parent._start;
  const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID));
  const item = new Y.Item(
    id,
    left,
    left && left.lastId,
    right,
    right && right.id,
    parent,
    key ?? null,
    content,
  );
  item.integrate(transaction, 0);
  return item;
}
