/** The longest row accepted, in bytes. An event takes an eighth of this in hex. */
const longestRow = 16 * 2 ** 20;

/** Parses rows in COPY's text format from chunks of any length. */
export async function* copyRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<(string | null)[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      yield fieldsOf(bytes.toString("utf8", from, end));
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > longestRow) throw new RangeError("Row exceeds the maximum length");
  }
  if (rest.length > 0) throw new RangeError("The last row is truncated");
}

const fieldsOf = (line: string) =>
  line.split("\t").map((field) => (field === "\\N" ? null : unescaped(field)));

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Resolves the backslash escapes of COPY. An unknown escape is the character itself. */
function unescaped(field: string): string {
  if (!field.includes("\\")) return field;
  return field.replace(/\\(.)/gs, (_, sign: string) => escapes[sign] ?? sign);
}
