/*
 * What Yjs uses of lib0/logging, which a browser gets in its place (next.config.ts): the original can also draw what it
 * says into a page, and brings a library of schemas for that.
 */

const style = Symbol("style");

export { style as BOLD, style as ORANGE, style as RED, style as UNBOLD };

/** Says something on the console, without its colours. */
export function print(...words: unknown[]): void {
  console.log(...words.filter((word) => word !== style));
}

/** Warns on the console, without colours. */
export function warn(...words: unknown[]): void {
  console.warn(...words.filter((word) => word !== style));
}
