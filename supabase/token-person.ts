import { stringFromBase64URL } from "@supabase/ssr";

/** Returns the account of an access token, or null for a key or another text. */
export function personOfToken(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(stringFromBase64URL(token.split(".")[1] ?? ""));
    if (typeof claims !== "object" || claims === null || !("sub" in claims)) return null;
    return typeof claims.sub === "string" ? claims.sub : null;
  } catch {
    return null;
  }
}

/** Whether a token may be sent for a person. Null means that the page has no person. */
export function maySendFor(person: string | null, token: string): boolean {
  const owner = personOfToken(token);
  return person === null || owner === null || owner === person;
}
