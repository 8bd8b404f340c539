import { describe, expect, test } from "vitest";
import { AnswerFilter, isPlain } from "./answer-limit";

/** Creates a message of the Postgres protocol from a type, a length and as many bytes. */
function message(letter: string, length: number): Buffer {
  const bytes = Buffer.alloc(5 + length, "Z");
  bytes.write(letter, 0, "latin1");
  bytes.writeUInt32BE(4 + length, 1);
  return bytes;
}

const cuts = [1, 2, 3, 4, 5, 6, 7, 64, 4_096];

/** Returns the output of a filter that gets its input in chunks of `size`. */
function passed(sent: Buffer, most: number, size: number): Buffer {
  const filter = new AnswerFilter(most);
  const parts: Buffer[] = [];
  for (let at = 0; at < sent.length; at += size)
    parts.push(filter.take(sent.subarray(at, at + size)));
  return Buffer.concat(parts);
}

describe("[API-21] the answer of one statement", () => {
  const first = Buffer.concat([message("T", 20), message("D", 300), message("C", 9)]);
  const second = Buffer.concat([message("D", 0), message("D", 320), message("Z", 1)]);
  const sent = Buffer.concat([first, message("Z", 1), second]);

  test.each(cuts)("passes unchanged up to the limit (%i bytes at a time)", (size) => {
    expect(passed(sent, first.length, size)).toEqual(sent);
  });

  test.each(cuts)(
    "becomes an error above the limit, and the next one passes (%i bytes)",
    (size) => {
      const text = passed(sent, first.length - 1, size);
      const row = Buffer.concat([message("T", 20), message("D", 300)]);
      expect(text.subarray(0, row.length)).toEqual(row);
      const error = text.subarray(row.length, text.length - second.length - 6);
      expect(error.toString("latin1", 5).split("\0").slice(0, 4)).toEqual([
        "SERROR",
        "VERROR",
        "CPT400",
        "Mtoo-large",
      ]);
      expect(error.readUInt32BE(1)).toBe(error.length - 1);
      expect(text.subarray(text.length - second.length - 6)).toEqual(
        Buffer.concat([message("Z", 1), second]),
      );
    },
  );

  test("becomes an error before the row above the limit has arrived", () => {
    const filter = new AnswerFilter(1_000);
    const row = message("D", 1_000_000);
    expect(filter.take(row.subarray(0, 5)).toString("latin1")).toMatch(/^E.*too-large/s);
    expect(filter.take(row.subarray(5))).toHaveLength(0);
    expect(filter.take(message("Z", 1))).toEqual(message("Z", 1));
  });

  test.each([
    ["postgres://postgres:secret@127.0.0.1:5432/postgres", true],
    ["postgres://postgres@db.example:5432/postgres?sslmode=disable", true],
    ["postgres://postgres@db.example:5432/postgres?sslmode=require", false],
    ["postgres://postgres@db.example:5432/postgres?ssl=true", false],
  ])("can be counted if it is not encrypted: %s", (url, plain) => {
    expect(isPlain(url)).toBe(plain);
  });
});
