declare module "linebreak" {
  /** Finds where the lines of a text may end, by Unicode’s rules (UAX 14). */
  export default class LineBreaker {
    constructor(text: string);
    /** The next such place; null at the end of the text. */
    nextBreak(): { position: number; required?: boolean } | null;
  }
}
