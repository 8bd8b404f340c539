import { digest } from "../bytes/sha256";

/** A random token (32 bytes, base64url) and the form that the log may hold: its SHA-256 in hex. */
export async function newToken(): Promise<{ token: string; tokenHash: string }> {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const token = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
  const hash = await digest(new TextEncoder().encode(token));
  return { token, tokenHash: [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("") };
}

/** The URL that opens an invitation, on this page's origin. */
export function invitationAddress(origin: string, invitationId: string, token: string): string {
  return `${origin}/invite/${invitationId}?token=${token}`;
}
