import { digest } from "../bytes/sha256";

/** Creates a random token (32 bytes, base64url) and its SHA-256 in hex, which the log stores. */
export async function newToken(): Promise<{ token: string; tokenHash: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const hash = await digest(new TextEncoder().encode(token));
  return { token, tokenHash: [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
}

/** Returns the URL that opens an invitation on the given origin. */
export function invitationAddress(origin: string, invitationId: string, token: string): string {
  return `${origin}/invite/${invitationId}?token=${token}`;
}
