declare module "linebreak" {
  /** Finds line break opportunities by Unicode’s rules (UAX 14). */
  export default class LineBreaker {
    constructor(text: string);
    /** Returns the next opportunity, or null at the end of the text. */
    nextBreak(): { position: number; required?: boolean } | null;
  }
}
