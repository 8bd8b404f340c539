/*
 * What the editor binding uses of lib0/dom, which a browser gets in its place (next.config.ts): the original checks its
 * nodes with a library of schemas.
 */

/** The page. */
export const doc = document;
