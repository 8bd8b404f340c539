/**
 * SHA-256 of some bytes, by Web Crypto where the page has it. An insecure origin (plain http from
 * another machine) has none and loads a library.
 */
export async function digest(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // The type says it always exists; insecure origins have none.
  const engine: SubtleCrypto | undefined = crypto.subtle;
  if (engine) return new Uint8Array(await engine.digest("SHA-256", message));
  const { sha256 } = await import("@noble/hashes/sha2.js");
  return sha256(message);
}
