import type { EmailedLink } from "@/events/auth/auth";

/**
 * Parses the URL of an emailed link. The link carries a token hash (our mail templates), a code (a
 * hosted project's own templates), tokens after the `#` (the auth service answered the link
 * itself), or an error. `link` is null if the URL has none of these.
 */
export function emailedLink(address: URL): { link: EmailedLink | null; recovery: boolean } {
  const query = address.searchParams;
  const fragment = new URLSearchParams(address.hash.slice(1));
  const type = query.get("type") ?? fragment.get("type") ?? "email";
  return { link: linkIn(query, fragment, type), recovery: type === "recovery" };
}

function linkIn(
  query: URLSearchParams,
  fragment: URLSearchParams,
  type: string,
): EmailedLink | null {
  const reason =
    query.get("error_description") ??
    fragment.get("error_description") ??
    query.get("error") ??
    fragment.get("error");
  if (reason) return { kind: "failed", reason };
  const tokenHash = query.get("token_hash");
  if (tokenHash) return { kind: "hash", tokenHash, type };
  const code = query.get("code");
  if (code) return { kind: "code", code };
  const accessToken = fragment.get("access_token");
  const refreshToken = fragment.get("refresh_token");
  if (accessToken && refreshToken) return { kind: "tokens", accessToken, refreshToken, type };
  return null;
}
