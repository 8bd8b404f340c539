import { deflateSync, gzipSync } from "node:zlib";

type Fields = Record<string, string>;

/** One encoding of an object for an auth endpoint. */
export type AuthEncoding = {
  name: string;
  body: string | Buffer;
  headers: Record<string, string>;
  /** Whether the gateway must understand exactly these fields, or refuse the request. */
  reads: "fields" | "nothing";
};

const mark = "\ufeff";
const json = "application/json";

/**
 * Returns an object in every encoding that some JSON, UTF-8, form or HTTP parser accepts. No parser
 * may read `decoy`, an address, from any encoding.
 */
export function authEncodings(fields: Fields, decoy: string): AuthEncoding[] {
  const text = JSON.stringify(fields);
  const inside = text.slice(1, -1);
  const decoys = JSON.stringify({ ...fields, ...(fields.email && { email: decoy }) });
  const escaped = (key: string) => `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  const escapedKeys = Object.entries(fields)
    .map(([key, value]) => `"${escaped(key)}":${JSON.stringify(value)}`)
    .join(",");
  const escapedValues = Object.entries(fields)
    .map(([key, value]) => {
      const codes = [...value].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
      return `"${key}":"${codes.join("")}"`;
    })
    .join(",");
  const form = new URLSearchParams(fields).toString();
  const parts = Object.entries(fields).map(
    ([key, value]) => `--x\r\ncontent-disposition: form-data; name="${key}"\r\n\r\n${value}\r\n`,
  );
  const utf32 = Buffer.alloc(4 * (text.length + 1));
  [...`${mark}${text}`].forEach((c, i) => utf32.writeUInt32LE(c.codePointAt(0) ?? 0, 4 * i));
  const bigEndian = Buffer.from(mark + text, "utf16le").swap16();

  const same = (name: string, body: string | Buffer, headers: Fields = {}): AuthEncoding => ({
    name,
    body,
    headers,
    reads: "fields",
  });
  const refused = (name: string, body: string | Buffer, headers: Fields = {}): AuthEncoding => ({
    ...same(name, body, headers),
    reads: "nothing",
  });
  const mistyped = Object.keys(fields).flatMap((key) =>
    ["7", "-0", "1e400", "true", "{}", `[${JSON.stringify(fields[key])}]`, `{"$ne":null}`].map(
      (value) => refused(`${key} as ${value}`, `{${inside},"${key}":${value}}`),
    ),
  );
  return [
    same("plain", text),
    same("white space around it", `\r\n\t ${text} \n`),
    same("much white space before it", " ".repeat(90_000) + text),
    same("its keys before by another value", `${decoys.slice(0, -1)},${inside}}`),
    same("its keys before, escaped now", `${decoys.slice(0, -1)},${escapedKeys}}`),
    same("escaped keys", `{${escapedKeys}}`),
    same("escaped values", `{${escapedValues}}`),
    same("keys in another case beside", `{"Email":"${decoy}","EMAIL":"${decoy}",${inside}}`),
    same(
      "the decoy within",
      `{"options":{"email":"${decoy}"},"user":{"email":"${decoy}"},${inside}}`,
    ),
    same("a constructor", `{"constructor":{"prototype":{"email":"${decoy}"}},${inside}}`),
    same("an empty phone", `{"phone":"",${inside}}`),
    same("a null phone", `{"phone":null,${inside}}`),
    same("no content type", text, { "content-type": "" }),
    same("plain text", text, { "content-type": "text/plain" }),
    same("UTF-8 in quotes", text, { "content-type": `${json}; Charset="UTF-8"` }),
    same("the type of a form", text, { "content-type": "application/x-www-form-urlencoded" }),
    same("the type of a form of parts", text, {
      "content-type": "multipart/form-data; boundary=x",
    }),
    same("the encoding identity", text, { "content-encoding": "identity" }),
    same("pieces", text, { "transfer-encoding": "chunked" }),
    refused("a byte-order mark", mark + text),
    refused("two byte-order marks", mark + mark + text),
    refused("a byte-order mark behind it", text + mark),
    refused("UTF-16 without saying so", Buffer.from(text, "utf16le")),
    refused("UTF-16 from the lower byte", Buffer.from(mark + text, "utf16le")),
    refused("UTF-16 from the higher byte", bigEndian),
    refused("UTF-16 that says so", bigEndian, { "content-type": `${json}; charset=utf-16` }),
    refused("UTF-32", utf32, { "content-type": `${json}; charset=utf-32` }),
    refused("UTF-7", text, { "content-type": `${json}; charset=utf-7` }),
    refused("Latin-1", text, { "content-type": `${json};charset=ISO-8859-1` }),
    refused("Latin-1 in quotes", text, { "content-type": `${json} ; charset = "latin1"` }),
    refused("bytes that are no UTF-8", Buffer.from(`${text.slice(0, -1)},"x":"\xff"}`, "latin1")),
    refused("an overlong letter", Buffer.from(`{${inside},"\xc1\xa5mail":1}`, "latin1")),
    refused("gzip", gzipSync(text), { "content-encoding": "gzip" }),
    refused("gzip without saying so", gzipSync(text)),
    refused("deflate", deflateSync(text), { "content-encoding": "deflate" }),
    refused("a claim of gzip", text, { "content-encoding": "gzip" }),
    refused("a claim of two encodings", text, { "content-encoding": "identity, br" }),
    refused("a form", form, { "content-type": "application/x-www-form-urlencoded" }),
    refused("a form of parts", `${parts.join("")}--x--\r\n`, {
      "content-type": "multipart/form-data; boundary=x",
    }),
    refused("the object as a field of a form", `=${text}`, {
      "content-type": "application/x-www-form-urlencoded",
    }),
    refused("a list", `[${text}]`),
    refused("text in JSON", JSON.stringify(text)),
    refused("null", "null"),
    refused("a number", "NaN"),
    refused("two objects", text + text),
    refused("two objects in lines", `${text}\n${text}`),
    refused("an object after a list", `[]${text}`),
    refused("letters behind it", `${text}x`),
    refused("a zero byte behind it", `${text}\0`),
    refused("a zero byte before it", `\0${text}`),
    refused("a comma too many", `{${inside},}`),
    refused("a comment behind it", `${text}//`),
    refused("a comment within", `{/*${decoys}*/${inside}}`),
    refused("single quotes", text.replaceAll('"', "'")),
    refused("keys without quotes", text.replace(/"(\w+)":/g, "$1:")),
    refused("NaN within", `{"x":NaN,${inside}}`),
    refused("white space of Unicode", `\u00a0${text}`),
    refused("a separator of records", `\x1e${text}`),
    refused("a guard before it", `)]}',\n${text}`),
    refused("a prototype", `{"__proto__":${decoys},${inside}}`),
    refused("a prototype, escaped", `{"\\u005f_proto__":${decoys},${inside}}`),
    refused("half a surrogate pair", `{"data":{"name":"\\ud800"},${inside}}`),
    refused("halves in the wrong order", `{"data":{"name":"\\udc00\\ud800"},${inside}}`),
    refused("half a pair in a key", `{"\\udfff":1,${inside}}`),
    refused("a zero character", `{"data":{"name":"\\u0000"},${inside}}`),
    refused("a zero character in a key", `{"email\\u0000":"${decoy}",${inside}}`),
    refused("lists in each other", `{"x":${"[".repeat(40)}${"]".repeat(40)},${inside}}`),
    refused("many lists in each other", `{"x":${"[".repeat(2e4)}${"]".repeat(2e4)},${inside}}`),
    refused("lists that do not end", `{${inside},"x":${"[".repeat(2e4)}`),
    refused("more than a megabyte", " ".repeat(2 ** 20) + text),
    refused("a claim of gzip in pieces", gzipSync(text), { "transfer-encoding": "gzip, chunked" }),
    ...mistyped,
  ];
}

/** Returns other spellings of an address that look up the same account. */
export function addressSpellings(email: string): string[] {
  return [
    email.toUpperCase(),
    ` ${email}\t`,
    `\u00a0${email}\ufeff`,
    // The lower-case form of the kelvin sign is the letter k.
    email.replace("k", "\u212a"),
  ];
}
