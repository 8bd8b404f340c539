import { bytesToHex } from "@noble/hashes/utils.js";
import { digest } from "@/events/core/bytes/sha256";

/** Returns the SHA-256 of bytes in hex, by which files are named. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  return bytesToHex(await digest(new Uint8Array(bytes)));
}
