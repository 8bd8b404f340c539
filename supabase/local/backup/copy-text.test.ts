import fc from "fast-check";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { copyRows } from "./copy-text";

/** Writes a value in COPY's text format, according to the PostgreSQL documentation. */
const written = (value: string | null) =>
  value === null
    ? "\\N"
    : value.replace(/[\\\b\f\n\r\t\v]/g, (sign) => {
        const names: Record<string, string> = { "\\": "\\", "\b": "b", "\f": "f", "\n": "n" };
        const others: Record<string, string> = { "\r": "r", "\t": "t", "\v": "v" };
        return `\\${names[sign] ?? others[sign]}`;
      });

async function read(bytes: Buffer, size: number): Promise<(string | null)[][]> {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const rows: (string | null)[][] = [];
  for await (const row of copyRows(Readable.from(chunks))) rows.push(row);
  return rows;
}

describe("rows in COPY's text form", () => {
  it("[BACKUP-2] are read back unchanged, wherever they are split", async () => {
    const sign = fc.constantFrom("\\", "\n", "\t", "N", "\b", "\f", "\r", "\v", "x", "𝄞", "é", "");
    const value = fc.option(fc.array(sign, { maxLength: 6 }).map((signs) => signs.join("")));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        async (rows, size) => {
          const text = rows.map((row) => `${row.map(written).join("\t")}\n`).join("");
          expect(await read(Buffer.from(text), size)).toEqual(rows);
        },
      ),
    );
  });

  it("[BACKUP-2] are refused without a line end", async () => {
    await expect(read(Buffer.from("one\ntwo"), 100)).rejects.toThrow("is truncated");
  });
});
