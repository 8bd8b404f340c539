import { refusal } from "./refusals";
import type { Call } from "./call";
import { measureJson } from "./json-measure";

/**
 * Limits on what a request may expand to. The limits are checked in one pass over the bytes of a
 * URL or body, before a parser runs: a call at these limits blocks the main thread for less than 50
 * ms (tests/support/dear/dear-requests.ts). The service is exempt.
 */
const mostPieces = 500;
const mostEmbeds = 20;
/** The number of parentheses in a filter tree, which limits its depth. */
const mostParentheses = 100;
/** Postgres cuts identifiers at 63 bytes. Functions and relations have one or two segments. */
const longestRestPath = 300;
/** The longest object key on Supabase, in characters. */
const longestKey = 1_024;
const deepestJson = 64;
const mostRows = 1_000;
/** Rows times columns of one insert. */
const mostCells = 5_000;
/** The column limit of a Postgres table. */
const mostColumns = 1_600;
/** The argument limit of a Postgres function. */
const mostArguments = 100;

/** Values of a JSON body, by the first segment of the path. */
const mostValues: Readonly<Record<string, number>> = {
  rest: 10_000,
  storage: 2_000,
  auth: 1_000,
  functions: 2_000,
  realtime: 10_000,
};

/**
 * As many values as fit into a body of 1 MB. An event of a fork, a merge or an import binds up to
 * 16 384 client ids (FORK-5), and a batch may have several such events.
 */
const mostAppendValues = 100_000;
/** Room for 200 events with some 20 names each. Numbers are far cheaper to parse than names. */
const mostAppendMembers = 20_000;
const appends = "/rest/v1/rpc/append_events";

const filterTree = /(^|\.)(and|or)$/;

/** Returns a refusal if URL or headers expand to more than a call may cost, else null. */
export function addressRefusal(url: Readonly<URL>, headers: Headers): Response | null {
  const { pathname, searchParams } = url;
  if (pathname.startsWith("/rest/") && pathname.length > longestRestPath)
    return refusal(404, "not_found", "The name of the table or function is too long.");
  if (pathname.startsWith("/storage/") && keyLength(pathname) > longestKey)
    return invalidKey(`The key of an object has at most ${longestKey} characters.`);
  let pieces =
    piecesOf(headers.get("prefer") ?? "") +
    piecesOf(headers.get("accept") ?? "") +
    piecesOf(headers.get("content-type") ?? "");
  for (const [name, value] of searchParams) {
    pieces += 1 + piecesOf(name) + piecesOf(value);
    if (filterTree.test(name) && count(value, "(") > mostParentheses)
      return tooMany(`A tree of filters has at most ${mostParentheses} parentheses.`);
    if (name === "select" && count(value, "(") > mostEmbeds)
      return tooMany(`A select embeds at most ${mostEmbeds} times.`);
  }
  return pieces > mostPieces
    ? tooMany(`An address and its headers name at most ${mostPieces} things.`)
    : null;
}

/** Returns a refusal if a body expands to more than a call may cost, else null. */
export function bodyRefusal(
  { head: { method, headers }, url: { pathname } }: Pick<Call, "head" | "url">,
  body: Uint8Array,
): Response | null {
  if (body.byteLength === 0) return null;
  const [, part = ""] = pathname.split("/");
  const type = (headers.get("content-type") ?? "").toLowerCase();
  const isTable = part === "rest" && /^\/rest\/v1\/[^/]+\/?$/.test(pathname);
  if (type.includes("csv") && isTable) {
    const refused = csvRefusal(body);
    if (refused) return refused;
  }
  if (type.includes("form-urlencoded") && countByte(body, "&") >= mostArguments)
    return tooLarge(`A form has at most ${mostArguments} fields.`);
  // Such a body is parsed as a single value, unless the type also contains "json".
  if (/^(text\/|application\/octet-stream|multipart\/)/.test(type) && !type.includes("json"))
    return null;
  const most = pathname === appends ? mostAppendValues : (mostValues[part] ?? 0);
  const bounds = { depth: deepestJson, values: most };
  const { depth, values, members, outermost } = measureJson(body, bounds);
  if (depth > deepestJson) return tooDeep();
  if (values > most) return tooLarge(`The JSON of this call has at most ${most} values.`);
  if (pathname === appends && members > mostAppendMembers)
    return tooLarge(`The events of one call have at most ${mostAppendMembers} names.`);
  if (part !== "rest" || startsArray(body)) {
    const isInsert = isTable && method !== "DELETE";
    return isInsert && outermost > mostRows
      ? tooLarge(`One request writes at most ${mostRows} rows.`)
      : null;
  }
  if (isTable && outermost > mostColumns)
    return tooLarge(`A row has at most ${mostColumns} columns.`);
  if (!isTable && outermost > mostArguments)
    return tooLarge(`A function has at most ${mostArguments} arguments.`);
  return null;
}

/** Returns a refusal if the rows exceed the limit once every row has all columns. */
export function cellsRefusal(rows: number, columns: number, most = mostCells): Response | null {
  return rows * columns > most
    ? tooLarge(`One request writes at most ${most} cells: its rows times their columns.`)
    : null;
}

/** Returns a refusal for CSV: a parser gives each row all columns of the first line. */
function csvRefusal(body: Uint8Array): Response | null {
  const end = body.findIndex((byte) => byte === 0x0a || byte === 0x0d);
  const columns = countByte(end < 0 ? body : body.subarray(0, end), ",") + 1;
  const rows = countByte(body, "\n") + countByte(body, "\r");
  if (columns > mostColumns) return tooLarge(`A row has at most ${mostColumns} columns.`);
  if (rows > mostRows) return tooLarge(`One request writes at most ${mostRows} rows.`);
  return cellsRefusal(Math.max(1, rows), columns) ?? cellsRefusal(countByte(body, ","), 1);
}

/** Returns the length of the object key in a Storage path, in characters. */
function keyLength(pathname: string): number {
  const [, key = ""] =
    /^\/storage\/v1\/object\/(?:(?:public|sign|authenticated|upload\/sign|info(?:\/\w+)?)\/)?[^/]+\/(.*)$/s.exec(
      pathname,
    ) ?? [];
  // A percent escape stands for one byte; UTF-8 continuation bytes begin with 8 to B.
  return key.replace(/%[89ab][0-9a-f]/gi, "").replace(/%[0-9a-f]{2}/gi, ".").length;
}

const separators = /[,({&|>]/g;
const piecesOf = (text: string) => text.match(separators)?.length ?? 0;
const count = (text: string, sign: string) => text.split(sign).length - 1;

function countByte(bytes: Uint8Array, sign: string): number {
  const byte = sign.charCodeAt(0);
  let found = 0;
  for (let at = bytes.indexOf(byte); at >= 0; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}

function startsArray(bytes: Uint8Array): boolean {
  return bytes.find((byte) => byte > 0x20) === 0x5b;
}

const tooMany = (message: string) => refusal(400, "too_complex", message);
const tooLarge = (message: string) => refusal(413, "too-large", message);
const tooDeep = () => refusal(400, "bad_json", `JSON nests at most ${deepestJson} deep.`);

function invalidKey(message: string): Response {
  return Response.json(
    { statusCode: "400", error: "InvalidKey", message, code: "InvalidKey" },
    { status: 400 },
  );
}
