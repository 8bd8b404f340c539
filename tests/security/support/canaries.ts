import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { randomBytes } from "node:crypto";

/** What of a workspace only some may read. */
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

/** For each place what stands there and nowhere else. */
export type Canaries = Readonly<Record<Place, string>>;

/** A word that stands nowhere; letters and digits alone, which no format writes in another way. */
export function newCanary(place: Place): string {
  return `zq${place.replaceAll(" ", "")}${randomBytes(8).toString("hex")}`;
}

const base64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g;
const hex = /(?:[0-9a-f]{2}){12,}/g;
/** How REST writes bytes. */
const numbers = /\d{1,3}(?:,\d{1,3}){11,}/g;
/** Bytes up to which something packed is looked for at every place: a format of ours may frame it. */
const framed = 8_192;

/** The places of which a text tells. */
export function placesIn(text: string, canaries: Canaries): Place[] {
  return places.filter((place) => text.includes(canaries[place]));
}

/**
 * All that can be read in bytes, in whatever of our forms it is written: packed, in base64, in hex
 * or as numbers.
 */
export function readable(parts: readonly Buffer[]): string {
  const all = parts.flatMap((part) => [
    part,
    ...unpacked(part, part.length <= framed ? part.length : 1),
  ]);
  const text = all.map((part) => part.toString("latin1")).join("\n");
  return [text, ...encodedIn(text)].join("\n");
}

/** What each such run stands for; pages name the same files again and again. */
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

/** What bytes unpack to from one of their first `starts` places. */
function unpacked(bytes: Buffer, starts: number): Buffer[] {
  if (isText(bytes)) return [];
  const results: Buffer[] = [];
  for (let start = 0; start < Math.min(starts, bytes.length - 8); start += 1) {
    for (const unpack of [gunzipSync, inflateSync, inflateRawSync]) {
      try {
        results.push(unpack(bytes.subarray(start), { maxOutputLength: 2 ** 22 }));
      } catch {
        // Nothing that is packed this way begins here.
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
