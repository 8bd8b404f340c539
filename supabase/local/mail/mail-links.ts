import { createHmac, timingSafeEqual } from "node:crypto";

// Lite's link hash is computed from the address and the six-digit code, so that codes could be
// guessed as links, past the limit on codes. This signature is known only from the mail.

function signatureOf(hash: string, secret: string): string {
  return createHmac("sha256", secret).update(`emailed link ${hash}`).digest("hex").slice(0, 32);
}

/** Signs the token hashes in the links of a mail. */
export function signLinks(html: string, secret: string): string {
  return html.replace(
    /\b(token(?:_hash)?=)([0-9a-f]{64})(?![\w.-])/g,
    (_, name: string, hash: string) => `${name}${hash}.${signatureOf(hash, secret)}`,
  );
}

/** Returns the token hash, or null if its signature is invalid. */
export function openSignedToken(token: string, secret: string): string | null {
  const [, hash, signature] = /^([0-9a-f]{64})\.([0-9a-f]{32})$/.exec(token) ?? [];
  if (hash === undefined || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(hash, secret)))
    ? hash
    : null;
}
