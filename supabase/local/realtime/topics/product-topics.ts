import { sessionOf } from "../token";
import type { Claims } from "../token";

/**
 * Topics of the product's own streams, as defined in `private.topic_access`. Two rules apply only
 * to these; on all other topics the server behaves like Supabase, so that code written for Supabase
 * runs unchanged.
 */
function isProductTopic(topic: string): boolean {
  return /^(?:account|workspace|document):/.test(topic);
}

export const sessionSentence = "The session of the token has ended";

/**
 * The session that a channel on this topic depends on; null if it outlives the session, as on
 * Supabase.
 */
export function watchedSession(topic: string, claims: Claims): string | null {
  return isProductTopic(topic) ? sessionOf(claims) : null;
}

const beginsWithId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=:|$)/i;

/**
 * Whether these claims may use a presence key on a private channel of this topic. The product
 * attributes presences to the account in their key, so on its topics such a key is reserved for
 * that account. Elsewhere an id is a key like any other.
 */
export function mayUseKey(topic: string, key: string | null, { sub, role }: Claims): boolean {
  if (!isProductTopic(topic)) return true;
  const [id] = beginsWithId.exec(key ?? "") ?? [];
  return id === undefined || id === sub || role === "service_role";
}

export const keySentence = "A presence key that names an account is for that account alone";
