/*
 * What the editor binding uses of lib0/dom, which a browser gets in its place (next.config.ts): the original checks its
 * nodes with a library of schemas.
 */

/** The page; a worker, which loads the binding for what it does to a document alone, has none. */
export const doc: Document | undefined = globalThis.document;
