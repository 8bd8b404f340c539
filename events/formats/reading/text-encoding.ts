import { analyse } from "chardet";

/** The size of the sample for chardet. A larger sample is slower and not more accurate. */
const sampleSize = 64 * 1024;
/** The bytes within which a file declares its encoding: 1024 in HTML, the first line in XML. */
const declarationSize = 1024;

const marks: [bytes: number[], encoding: string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
const declarations = [
  /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i,
  /<meta\s[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i,
];

/**
 * The characters of windows-1252 from 0x80 on. Node before 23 decodes it as ISO-8859-1, which has
 * control characters there.
 */
const western =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";
const asWestern = (text: string) =>
  text.replace(/[\u0080-\u009f]/g, (letter) => western[letter.charCodeAt(0) - 0x80] ?? letter);

function decoder(encoding: string, fatal: boolean): TextDecoder | null {
  try {
    return new TextDecoder(encoding, { fatal });
  } catch {
    // The file names an unknown encoding.
    return null;
  }
}

/** Decodes the bytes. Returns null if they are not valid in this encoding. */
function decoded(bytes: Uint8Array, encoding: string): string | null {
  try {
    const reader = decoder(encoding, true);
    const text = reader?.decode(bytes) ?? null;
    return text !== null && reader?.encoding === "windows-1252" ? asWestern(text) : text;
  } catch {
    return null;
  }
}

function declaredIn(bytes: Uint8Array): string | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, declarationSize));
  for (const declaration of declarations) {
    const [, name] = declaration.exec(head) ?? [];
    // Bytes that read as ASCII up to here are not UTF-16. Browsers treat that declaration as UTF-8.
    if (name !== undefined) return /^utf-?16/i.test(name) ? "utf-8" : name;
  }
  return null;
}

/** Detects UTF-16 without a byte order mark: in any language, every other byte is often zero. */
function utf16Of(sample: Uint8Array): string | null {
  let [even, odd] = [0, 0];
  for (let at = 0; at + 1 < sample.length; at += 2) {
    if (sample[at] === 0) even += 1;
    if (sample[at + 1] === 0) odd += 1;
  }
  const pairs = sample.length / 2;
  if (odd > pairs * 0.2 && even < odd / 4) return "utf-16le";
  if (even > pairs * 0.2 && odd < even / 4) return "utf-16be";
  return null;
}

/** A less confident guess is accepted only if the bytes are not Western European text. */
const surely = 40;
/** Control and box-drawing characters, which no prose has, indicate a wrong guess. */
const implausible = /[\u0080-\u009f\u2500-\u259f\ufffd]/;

function guessed(bytes: Uint8Array): string {
  const fallback = asWestern(new TextDecoder("windows-1252").decode(bytes));
  const isWestern = !implausible.test(fallback);
  const guesses = analyse(bytes.subarray(0, sampleSize));
  const ofWestern = guesses.find(({ name }) => /^(?:windows-1252|ISO-8859-1)$/i.test(name));
  // A short text resembles Western European as much as a related encoding.
  const least = isWestern ? Math.max(surely, (ofWestern?.confidence ?? 0) + 1) : 1;
  for (const { name, confidence } of guesses) {
    if (confidence < least) break;
    const text = decoded(bytes, name);
    if (text !== null && !implausible.test(text)) return text;
  }
  return fallback;
}

/**
 * Decodes a file by its byte order mark, then by its declaration, then as UTF-8, then by
 * statistics. A declaration that the bytes contradict is ignored.
 */
export function decodedText(bytes: Uint8Array): string {
  for (const [mark, encoding] of marks)
    if (mark.every((byte, at) => bytes[at] === byte))
      return new TextDecoder(encoding).decode(bytes);
  const wide = utf16Of(bytes.subarray(0, sampleSize));
  const declared = declaredIn(bytes);
  const candidates = [wide, declared, "utf-8"].filter((name) => name !== null);
  for (const encoding of candidates) {
    const text = decoded(bytes, encoding);
    if (text !== null) return text;
  }
  return guessed(bytes);
}
