const utf8 = new TextDecoder();

/** The body of a call, decoded and parsed at most once, when it is needed. */
export class BodyText {
  readonly bytes: Uint8Array;
  #text: string | null = null;
  #json: { value: unknown } | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get text(): string {
    return (this.#text ??= utf8.decode(this.bytes));
  }

  /** Its JSON value; undefined if it is no JSON. */
  get json(): unknown {
    return (this.#json ??= { value: parsed(this.text) }).value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
