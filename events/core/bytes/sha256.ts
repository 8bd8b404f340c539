/**
 * Returns the SHA-256 of some bytes, computed by Web Crypto. Insecure origins (plain http from
 * another machine) have no Web Crypto and load a library instead.
 */
export async function digest(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // The type says that `subtle` always exists, but insecure origins have none.
  const engine: SubtleCrypto | undefined = crypto.subtle;
  if (engine) return new Uint8Array(await engine.digest("SHA-256", message));
  const { sha256 } = await import("@noble/hashes/sha2.js");
  return sha256(message);
}
