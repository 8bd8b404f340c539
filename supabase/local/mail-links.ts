import { createHmac, timingSafeEqual } from "node:crypto";

// The hash that Lite puts into a link is made of the address and the six digits of the code, so
// whoever can hash could try codes as links, past the limit on codes. Only the mail holds this
// seal.

function signatureOf(hash: string, secret: string): string {
  return createHmac("sha256", secret).update(`emailed link ${hash}`).digest("hex").slice(0, 32);
}

/** Seals the token hashes in the links of a mail. */
export function signLinks(html: string, secret: string): string {
  return html.replace(
    /\b(token(?:_hash)?=)([0-9a-f]{64})(?![\w.-])/g,
    (_, name: string, hash: string) => `${name}${hash}.${signatureOf(hash, secret)}`,
  );
}

/** Answers the token hash under a seal of ours; null for everything else. */
export function openSignedToken(token: string, secret: string): string | null {
  const [, hash, signature] = /^([0-9a-f]{64})\.([0-9a-f]{32})$/.exec(token) ?? [];
  if (hash === undefined || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(hash, secret)))
    ? hash
    : null;
}
