import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { randomBytes } from "node:crypto";

/** The data of a workspace that only some may read. */
export const places = [
  "workspace name",
  "owner name",
  "owner address",
  "account",
  "invitation",
  "title",
  "former title",
  "text",
  "deleted text",
  "named text",
  "redacted text",
  "version name",
  "comment",
  "deleted comment",
  "thread",
  "event",
  "client id",
  "file name",
  "file content",
  "attached content",
  "picture content",
] as const;
export type Place = (typeof places)[number];

/** For each place, the word that occurs only there. */
export type Canaries = Readonly<Record<Place, string>>;

/** Creates a unique word of letters and digits, which no format encodes differently. */
export function newCanary(place: Place): string {
  return `zq${place.replaceAll(" ", "")}${randomBytes(8).toString("hex")}`;
}

const base64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const hex = /(?:[0-9a-f]{2}){12,}/g;
/** REST's notation for bytes. */
const numbers = /\d{1,3}(?:,\d{1,3}){11,}/g;
/**
 * The largest compressed data, in bytes, that is searched at every offset, because one of our
 * formats may frame it.
 */
const framed = 8_192;

/** Returns the places whose canaries occur in a text. */
export function placesIn(text: string, canaries: Canaries): Place[] {
  return places.filter((place) => text.includes(canaries[place]));
}

/** Returns all text in bytes, in any of our encodings: compressed, base64, hex or numbers. */
export function readable(parts: readonly Buffer[]): string {
  const all = parts.flatMap((part) => [
    part,
    ...unpacked(part, part.length <= framed ? part.length : 1),
  ]);
  const text = all.map((part) => part.toString("latin1")).join("\n");
  return [text, ...encodedIn(text)].join("\n");
}

/** The decoded form of each encoded run, cached because pages name the same files many times. */
const decoded = new Map<string, string>();

function encodedIn(text: string): string[] {
  const runs = new Set(
    [base64, hex, numbers].flatMap((form) => [...text.matchAll(form)]).map(([run]) => run),
  );
  return [...runs].map((run) => {
    const known = decoded.get(run);
    if (known !== undefined) return known;
    const forms = run.includes(",")
      ? [Buffer.from(run.split(",").map(Number))]
      : [Buffer.from(run, "base64"), Buffer.from(run, "hex")];
    const all = forms.flatMap((bytes) => [bytes, ...unpacked(bytes, 1)]);
    const meaning = all.map((bytes) => bytes.toString("latin1")).join(" ");
    decoded.set(run, meaning);
    return meaning;
  });
}

/** Returns the results of decompressing bytes from each of their first `starts` offsets. */
function unpacked(bytes: Buffer, starts: number): Buffer[] {
  if (isText(bytes)) return [];
  const results: Buffer[] = [];
  for (let start = 0; start < Math.min(starts, bytes.length - 8); start += 1) {
    for (const unpack of [gunzipSync, inflateSync, inflateRawSync]) {
      try {
        results.push(unpack(bytes.subarray(start), { maxOutputLength: 2 ** 22 }));
      } catch {
        // No compressed data of this kind starts here.
      }
    }
  }
  return results;
}

function isText(bytes: Buffer): boolean {
  return bytes
    .subarray(0, 64)
    .every((byte) => byte === 9 || byte === 10 || byte === 13 || byte >= 32);
}
