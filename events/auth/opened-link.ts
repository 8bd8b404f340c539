import type { SupabaseClient } from "@supabase/supabase-js";
import type { AuthRefusal, EmailedLink } from "./auth";
import { authRefusal, verifiedLink } from "./supabase-auth";

/**
 * An emailed link whose account is known before the link signs anyone in. `link` signs in; it is
 * null if only another confirmation by mail remains.
 */
export type OpenedLink =
  | {
      ok: true;
      link: EmailedLink | null;
      account: { userId: string; email: string } | null;
      /** Ends the session that opening the link created. */
      drop: () => Promise<void>;
    }
  | { ok: false; refusal: AuthRefusal };

const nothing = async () => undefined;

/** Opens a link with a separate client, which leaves the page's own session unchanged. */
export async function openLink(
  link: EmailedLink,
  { auth }: Pick<SupabaseClient, "auth">,
): Promise<OpenedLink> {
  if (link.kind === "failed") return { ok: false, refusal: { name: "wrong-code" } };
  // Only the browser that requested a code can exchange it, and the exchange signs in at once.
  if (link.kind === "code") return { ok: true, link, account: null, drop: nothing };
  if (link.kind === "tokens") {
    const { data, error } = await auth.getUser(link.accessToken);
    if (error) return { ok: false, refusal: authRefusal(error) };
    const { id, email = "" } = data.user;
    return { ok: true, link, account: { userId: id, email }, drop: nothing };
  }
  const { answer, session } = await verifiedLink(link, auth);
  if (!answer.ok) return answer;
  if (session === null) return { ok: true, link: null, account: null, drop: nothing };
  return {
    ok: true,
    link: {
      kind: "tokens",
      accessToken: session.access_token,
      refreshToken: session.refresh_token,
      type: link.type,
    },
    account: { userId: session.user.id, email: session.user.email ?? "" },
    drop: async () => void (await auth.signOut({ scope: "local" })),
  };
}
