import { createHash } from "node:crypto";
import type { Claims } from "./claims";

const lastingMs = 60_000;
const most = 5_000;

/**
 * Caches tokens that auth has recently verified, by their hash. For this long, pages may show their
 * frame to an ended session, but the database refuses the session.
 */
export class VerifiedTokens {
  private readonly known = new Map<string, { claims: Claims; until: number }>();

  find(project: string, token: string, now: number): Claims | null {
    const key = keyOf(project, token);
    const found = this.known.get(key);
    if (!found) return null;
    if (found.until > now) return found.claims;
    this.known.delete(key);
    return null;
  }

  add(project: string, token: string, claims: Claims, now: number): void {
    const [oldest] = this.known.keys();
    if (oldest !== undefined && this.known.size >= most) this.known.delete(oldest);
    const until = Math.min(now + lastingMs, claims.expiresAt * 1000);
    this.known.set(keyOf(project, token), { claims, until });
  }
}

function keyOf(project: string, token: string): string {
  return createHash("sha256").update(`${project} ${token}`).digest("base64");
}
