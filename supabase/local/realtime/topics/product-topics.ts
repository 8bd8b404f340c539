import { sessionOf } from "../token";
import type { Claims } from "../token";

/**
 * Whether a topic belongs to the product's own streams, as defined in `private.topic_access`. Two
 * rules apply only to these topics. On all other topics the server behaves like Supabase, so that
 * code written for Supabase runs unchanged.
 */
function isProductTopic(topic: string): boolean {
  return /^(?:account|workspace|document):/.test(topic);
}

export const sessionSentence = "The session of the token has ended";

/**
 * Returns the session that a channel on this topic depends on. Returns null if the channel outlives
 * the session, as on Supabase.
 */
export function watchedSession(topic: string, claims: Claims): string | null {
  return isProductTopic(topic) ? sessionOf(claims) : null;
}

const beginsWithId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=:|$)/i;

/**
 * Whether these claims may use a presence key on a private channel of this topic. The product
 * attributes presences to the account in their key, so on its topics such a key is reserved for
 * that account. On other topics, an account id is an ordinary key.
 */
export function mayUseKey(topic: string, key: string | null, { sub, role }: Claims): boolean {
  if (!isProductTopic(topic)) return true;
  const [id] = beginsWithId.exec(key ?? "") ?? [];
  return id === undefined || id === sub || role === "service_role";
}

export const keySentence = "A presence key that names an account is for that account alone";
