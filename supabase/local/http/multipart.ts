export class BadForm extends Error {}

/** The first file of a form, with the fields before it. Its content is read on demand. */
type FormFile = {
  fields: Map<string, string>;
  type: string | null;
  body: AsyncGenerator<Uint8Array>;
};

const longestField = 65_536;
const longestHead = 8_192;
const mostFields = 20;

/**
 * Parses `multipart/form-data` up to its first file, whose content is streamed. Returns null for a
 * form without a file. Throws BadForm.
 */
export async function firstFile(
  chunks: AsyncIterator<Uint8Array>,
  contentType: string,
): Promise<FormFile | null> {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw new BadForm("Multipart form without a boundary");
  const reader = new Reader(chunks);
  const end = Buffer.from(`\r\n--${boundary}`);
  await reader.until(end, longestField);
  const fields = new Map<string, string>();
  for (let count = 0; count < mostFields; count += 1) {
    const after = await reader.take(2);
    if (after === "--") return null;
    if (after !== "\r\n") throw new BadForm("Multipart boundary without a line break");
    const head = (await reader.until(Buffer.from("\r\n\r\n"), longestHead)).toString();
    const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? "";
    if (/;\s*filename\*?=/i.test(disposition)) {
      return {
        fields,
        type: /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1] || null,
        body: reader.rest(end),
      };
    }
    const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
    if (name === undefined) throw new BadForm("Multipart field without a name");
    fields.set(name, (await reader.until(end, longestField)).toString());
  }
  throw new BadForm(`Multipart form with more than ${mostFields} fields before its file`);
}

/** Searches for delimiters in chunks that may be split anywhere. */
class Reader {
  // The first boundary has no line break before it.
  private held: Buffer = Buffer.from("\r\n");
  private readonly chunks: AsyncIterator<Uint8Array>;

  constructor(chunks: AsyncIterator<Uint8Array>) {
    this.chunks = chunks;
  }

  async until(mark: Buffer, most: number): Promise<Buffer> {
    for (;;) {
      const at = this.held.indexOf(mark);
      if (at > most || (at < 0 && this.held.length >= most + mark.length))
        throw new BadForm("Multipart field is too long");
      if (at >= 0) return this.cut(at, mark.length);
      await this.fill();
    }
  }

  async take(count: number): Promise<string> {
    while (this.held.length < count) await this.fill();
    return this.cut(count, 0).toString("latin1");
  }

  async *rest(mark: Buffer): AsyncGenerator<Uint8Array> {
    for (;;) {
      const at = this.held.indexOf(mark);
      if (at >= 0) {
        if (at > 0) yield this.cut(at, mark.length);
        return;
      }
      // The last bytes may be the beginning of the delimiter.
      const sure = this.held.length - mark.length + 1;
      if (sure > 0) yield this.cut(sure, 0);
      await this.fill();
    }
  }

  private cut(length: number, skip: number): Buffer {
    const taken = this.held.subarray(0, length);
    this.held = this.held.subarray(length + skip);
    return taken;
  }

  private async fill(): Promise<void> {
    const { done, value } = await this.chunks.next();
    if (done) throw new BadForm("Multipart form is truncated");
    this.held = this.held.length === 0 ? Buffer.from(value) : Buffer.concat([this.held, value]);
  }
}
