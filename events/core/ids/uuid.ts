import { hexToBytes } from "@noble/hashes/utils.js";
import { v5 } from "uuid";

const utf8 = new TextEncoder();

/** Derives a UUID (version 5, RFC 9562) from a namespace UUID and a name, deterministically. */
export function uuidV5(namespace: string, name: string): string {
  const digits = namespace.replaceAll("-", "");
  if (!/^[0-9a-f]{32}$/i.test(digits)) throw new Error(`Not a UUID: ${namespace}`);
  // Bytes instead of strings: the library rejects some UUIDs that PostgreSQL accepts, and names
  // with a lone surrogate.
  return v5(utf8.encode(name), hexToBytes(digits));
}
