/**
 * SHA-256 of some bytes: by the browser's own engine, where a page has it. One that is served by
 * plain http to another machine has none, and fetches a library for it.
 */
export async function digest(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // The types promise it; an insecure origin has none.
  const engine: SubtleCrypto | undefined = crypto.subtle;
  if (engine) return new Uint8Array(await engine.digest("SHA-256", message));
  const { sha256 } = await import("@noble/hashes/sha2.js");
  return sha256(message);
}
