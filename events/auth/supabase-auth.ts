import type { AuthError, Session as SupabaseSession, SupabaseClient } from "@supabase/supabase-js";
import { tolerate } from "@/events/core/error-report";
import type { AuthAnswer, AuthChange, AuthPort, AuthRefusal, Session } from "./auth";
import { tokenClaims } from "./token";
import type { StoredSession } from "@/supabase/stored-session";

const done: AuthAnswer = { ok: true, confirm: false };

function sessionOf(session: StoredSession): Session {
  const { user, access_token } = session;
  const claims = tokenClaims(access_token);
  const name: unknown = user.user_metadata.name;
  return {
    userId: user.id,
    email: user.email ?? "",
    name: typeof name === "string" ? name : "",
    sessionId: claims.sessionId,
    issuedAt: claims.issuedAt,
    expiresAt: session.expires_at ?? claims.expiresAt,
    updatedAt: user.updated_at ?? "",
  };
}

const byCode: Record<string, AuthRefusal["name"]> = {
  invalid_credentials: "wrong-credentials",
  user_already_exists: "not-created",
  email_exists: "unusable-email",
  signup_disabled: "not-created",
  otp_expired: "wrong-code",
  otp_disabled: "wrong-code",
  bad_code_verifier: "wrong-code",
  pkce_code_verifier_not_found: "wrong-code",
  flow_state_not_found: "wrong-code",
  flow_state_expired: "wrong-code",
  weak_password: "weak-password",
  password_too_long: "long-password",
  same_password: "same-password",
  email_address_invalid: "unusable-email",
  email_address_not_authorized: "unusable-email",
  validation_failed: "unusable-email",
  email_not_confirmed: "unconfirmed",
  session_not_found: "session-missing",
  session_expired: "session-missing",
  refresh_token_not_found: "session-missing",
  refresh_token_already_used: "session-missing",
  over_request_rate_limit: "too-many-tries",
  over_email_send_rate_limit: "too-many-tries",
};

/**
 * Maps an error of the authentication service to a refusal. Errors that the person did not cause
 * become `unreachable`.
 */
export function authRefusal(
  error: Pick<AuthError, "name" | "code" | "status" | "message">,
): AuthRefusal {
  const known = error.code ? byCode[error.code] : undefined;
  if (error.status === 429 || known === "too-many-tries") {
    const wait = /(\d+) seconds?/.exec(error.message)?.[1];
    return { name: "too-many-tries", ...(wait && { wait: Number(wait) }) };
  }
  if (known) return { name: known };
  if (error.name === "AuthSessionMissingError") return { name: "session-missing" };
  return { name: "unreachable" };
}

function answer(error: AuthError | null, confirm = false): AuthAnswer {
  return error ? { ok: false, refusal: authRefusal(error) } : { ok: true, confirm };
}

type LinkType = "signup" | "magiclink" | "recovery" | "invite" | "email_change" | "email";
const linkTypes = [
  "signup",
  "magiclink",
  "recovery",
  "invite",
  "email_change",
  "email",
] as const satisfies LinkType[];

/**
 * Returns the verification types to try, in order. `email` covers all sign-ins where it is
 * supported; the embedded backend does not support it.
 */
function typesOf(type: string): LinkType[] {
  const known = linkTypes.find((candidate) => candidate === type) ?? "email";
  return known === "email" ? ["email", "magiclink", "signup"] : [known];
}

async function firstKnown(
  type: string,
  verify: (type: LinkType) => Promise<{ error: AuthError | null }>,
): Promise<AuthAnswer> {
  let error: AuthError | null = null;
  for (const candidate of typesOf(type)) {
    error = (await verify(candidate)).error;
    const unknownHere = error?.code === "validation_failed" || error?.code === "otp_expired";
    if (!unknownHere) break;
  }
  return error?.code === "validation_failed"
    ? { ok: false, refusal: { name: "wrong-code" } }
    : answer(error);
}

/** Spends a link's token hash. The session is null if another confirmation by mail is pending. */
export async function verifiedLink(
  { tokenHash, type: asked }: { tokenHash: string; type: string },
  auth: SupabaseClient["auth"],
): Promise<{ answer: AuthAnswer; session: SupabaseSession | null; type: LinkType | null }> {
  let session: SupabaseSession | null = null;
  let verified: LinkType | null = null;
  const answered = await firstKnown(asked, async (type) => {
    const { data, error } = await auth.verifyOtp({ token_hash: tokenHash, type });
    session = data.session;
    verified = type;
    return { error };
  });
  // A change of address sends two links; opening the first one creates no session.
  const answer = answered.ok ? { ...answered, confirm: session === null } : answered;
  return { answer, session, type: verified };
}

/** The dependencies of a tab's authentication besides its client. */
type Surroundings = {
  /** The page's own origin, which emailed links lead to. */
  origin: string;
  /** The browser's stored session, whether or not it could be verified. */
  stored: () => Promise<StoredSession | null>;
  /** Calls the listener when the browser's session may belong to another person. */
  onDoubt?: (listener: () => void) => () => void;
};

/** Creates the authentication port of a Supabase project. */
export function supabaseAuth(
  { auth }: Pick<SupabaseClient, "auth">,
  { origin, stored, onDoubt }: Surroundings,
): AuthPort {
  const back = (next: string) => `${origin}/auth/confirm?next=${encodeURIComponent(next)}`;
  let changing: string[] = [];
  let recovering = false;
  const listeners = new Set<(change: AuthChange) => void>();

  const changeOf = (event: string, session: SupabaseSession | null): AuthChange | null => {
    if (event === "INITIAL_SESSION")
      return { name: "found", session: session && sessionOf(session) };
    if (!session) return event === "SIGNED_OUT" ? { name: "signed-out" } : null;
    const who = sessionOf(session);
    if (event === "PASSWORD_RECOVERY" || (event === "SIGNED_IN" && recovering))
      return { name: "password-recovery", session: who };
    if (event === "SIGNED_IN") return { name: "signed-in", session: who };
    if (event === "TOKEN_REFRESHED") return { name: "token-refreshed", session: who };
    if (event === "USER_UPDATED")
      return {
        name: "user-updated",
        session: who,
        fields: changing.map((field) =>
          field === "email" && session.user.new_email ? "new_email" : field,
        ),
      };
    return null;
  };

  const changed = (noticed: AuthChange) => listeners.forEach((listener) => listener(noticed));
  /** Reports a changed address, which the client reports only as a sign-in. */
  const reportChange = (session: SupabaseSession | null) => {
    if (session) changed({ name: "user-updated", session: sessionOf(session), fields: ["email"] });
  };

  return {
    watch(told) {
      /** The person last reported as signed in. */
      let known: string | null = null;
      const listener = (change: AuthChange) => {
        if ("session" in change) known = change.session?.userId ?? null;
        told(change);
      };
      const held = () => stored().catch(tolerate("reading the session of this browser"));
      const foundUnchecked = async () => {
        const session = await held();
        listener({ name: "found", session: session ? sessionOf(session) : null });
      };
      /**
       * Runs once per person: the listener sends requests for the new person, which are refused
       * too.
       */
      const doubted = async () => {
        const session = await held();
        if (session && session.user.id !== known)
          listener({ name: "found", session: sessionOf(session) });
      };
      const { data } = auth.onAuthStateChange((event, session) => {
        // The client also reports no session if the server could not be reached to renew a session.
        if (event === "INITIAL_SESSION" && !session) return void foundUnchecked();
        const noticed = changeOf(event, session);
        if (noticed) listener(noticed);
      });
      listeners.add(listener);
      // A replaced cookie raises no event of the client. `onDoubt` reports it instead.
      const stop = onDoubt?.(() => void doubted());
      return () => {
        stop?.();
        listeners.delete(listener);
        data.subscription.unsubscribe();
      };
    },

    async signUp({ name, email, password }) {
      const { data, error } = await auth.signUp({
        email,
        password,
        options: { data: { name }, emailRedirectTo: back("/") },
      });
      return answer(error, !data.session);
    },

    async signIn(input) {
      return answer((await auth.signInWithPassword(input)).error);
    },

    async sendLink({ email, next }) {
      const { error } = await auth.signInWithOtp({
        email,
        options: { shouldCreateUser: false, emailRedirectTo: back(next) },
      });
      // An address without an account receives no mail, but the caller gets the same answer.
      if (
        error?.code === "otp_disabled" ||
        error?.code === "user_not_found" ||
        error?.code === "signup_disabled"
      )
        return done;
      return answer(error);
    },

    async verifyCode({ email, code }) {
      return firstKnown("email", (type) => auth.verifyOtp({ email, token: code, type }));
    },

    async followLink(link) {
      if (link.kind === "failed") return { ok: false, refusal: { name: "wrong-code" } };
      if (link.kind === "code") return answer((await auth.exchangeCodeForSession(link.code)).error);
      if (link.kind === "hash") {
        const { answer, session, type } = await verifiedLink(link, auth);
        if (type === "email_change") reportChange(session);
        return answer;
      }
      recovering = link.type === "recovery";
      try {
        const { data, error } = await auth.setSession({
          access_token: link.accessToken,
          refresh_token: link.refreshToken,
        });
        if (link.type === "email_change") reportChange(data.session);
        return answer(error);
      } finally {
        recovering = false;
      }
    },

    async sendReset({ email }) {
      const { error } = await auth.resetPasswordForEmail(email, {
        redirectTo: back("/reset-password"),
      });
      return error?.code === "user_not_found" ? done : answer(error);
    },

    async change(changes) {
      changing = Object.keys(changes).sort();
      try {
        return answer(
          (await auth.updateUser(changes, { emailRedirectTo: back("/account") })).error,
        );
      } finally {
        changing = [];
      }
    },

    async refresh() {
      return answer((await auth.refreshSession()).error);
    },

    async signOut(scope) {
      return answer((await auth.signOut({ scope })).error);
    },
  };
}
