const utf8 = new TextDecoder();

/** The body of a call, decoded and parsed at most once, when it is needed. */
export class BodyText {
  readonly bytes: Uint8Array;
  private decoded: string | null = null;
  private parsed: { value: unknown } | null = null;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get text(): string {
    return (this.decoded ??= utf8.decode(this.bytes));
  }

  /** The JSON value; undefined if the body is not JSON. */
  get json(): unknown {
    return (this.parsed ??= { value: parsed(this.text) }).value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
