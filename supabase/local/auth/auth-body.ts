type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const deepest = 32;

/**
 * Parses the body of an auth request, or returns null unless the body is one JSON object in UTF-8.
 * Later steps receive this result serialised again, so they agree on repeated keys: the last
 * counts.
 */
export function parseAuthBody(bytes: Uint8Array, headers: Headers): JsonObject | null {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding && encoding !== "identity") return null;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i
    .exec(headers.get("content-type") ?? "")?.[1]
    ?.toLowerCase();
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") return null;
  try {
    // A byte-order mark stays in the text and makes the JSON invalid.
    const value: Json = JSON.parse(
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
    );
    return isObject(value) && isStorable(value, 0) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Whether a value is safe to store and copy: Postgres text cannot hold NUL or unpaired surrogates,
 * and `__proto__` is a dangerous key.
 */
function isStorable(value: Json, depth: number): boolean {
  if (typeof value === "string")
    return !/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === deepest) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1));
  return Object.entries(value).every(
    ([key, item]) => key !== "__proto__" && isStorable(key, depth) && isStorable(item, depth + 1),
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
