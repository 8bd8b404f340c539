/** The signed-in person, read from this tab's access token. Times are seconds since the epoch. */
export type Session = {
  userId: string;
  email: string;
  /** The name given at sign-up. */
  name: string;
  sessionId: string;
  /** The issue time by the server's clock. */
  issuedAt: number;
  /** The expiry time by whichever is ahead: this device's clock or the server's. */
  expiresAt: number;
  /** The time of the last change of the user's own record, as a text written by the server. */
  updatedAt: string;
};

/**
 * A change that the authentication client noticed. `found` tells a newly opened page which session
 * already exists.
 */
export type AuthChange =
  | { name: "found"; session: Session | null }
  | { name: "signed-in"; session: Session }
  | { name: "token-refreshed"; session: Session }
  | { name: "password-recovery"; session: Session }
  /** `fields` names the fields that this tab changed. Empty if another tab made the change. */
  | { name: "user-updated"; session: Session; fields: string[] }
  | { name: "signed-out" };

/** The result of an emailed link, in each form in which a Supabase project may return it. */
export type EmailedLink =
  | { kind: "code"; code: string }
  | { kind: "hash"; tokenHash: string; type: string }
  | { kind: "tokens"; accessToken: string; refreshToken: string; type: string }
  | { kind: "failed"; reason: string };

/** `confirm` means that the request was accepted but another confirmation by mail is pending. */
export type AuthAnswer = { ok: true; confirm: boolean } | { ok: false; refusal: AuthRefusal };

/**
 * The operations that the product requires of an authentication service. Refusals are results; only
 * bugs throw.
 */
export type AuthPort = {
  /** Reports changes in order, beginning with `found`, until the returned function is called. */
  watch(listener: (change: AuthChange) => void): () => void;
  signUp(input: { name: string; email: string; password: string }): Promise<AuthAnswer>;
  signIn(input: { email: string; password: string }): Promise<AuthAnswer>;
  /** Mails a link and a code. The answer is the same whether or not the address has an account. */
  sendLink(input: { email: string; next: string }): Promise<AuthAnswer>;
  verifyCode(input: { email: string; code: string }): Promise<AuthAnswer>;
  followLink(link: EmailedLink): Promise<AuthAnswer>;
  /**
   * Mails a link to set a new password. The answer is the same whether or not the address has an
   * account.
   */
  sendReset(input: { email: string }): Promise<AuthAnswer>;
  change(changes: { password?: string; email?: string }): Promise<AuthAnswer>;
  /** Requests a new token now, because the server rejected the current one. */
  refresh(): Promise<AuthAnswer>;
  signOut(scope: "local" | "others" | "global"): Promise<AuthAnswer>;
};

export const authRefusalNames = [
  "wrong-credentials",
  "not-created",
  "wrong-code",
  "weak-password",
  "long-password",
  "same-password",
  "unusable-email",
  "unconfirmed",
  "session-missing",
  "too-many-tries",
  "unreachable",
] as const;

export type AuthRefusal = {
  name: (typeof authRefusalNames)[number];
  /** Whole seconds until a retry makes sense, if the server named them. */
  wait?: number;
};

const sentences = {
  "wrong-credentials":
    "This email and password don’t belong together. Check both, or reset your password.",
  "not-created":
    "This account couldn’t be created. If you already have one, sign in or reset your password.",
  "wrong-code": "This link or code is wrong or has expired. Ask for a new one.",
  "weak-password":
    "This password is too easy to guess. Use at least 8 characters; a short sentence is good.",
  "long-password":
    "This password is too long. Use at most 72 letters, or fewer where they are not plain Latin letters.",
  "same-password": "This is the password you have now. Choose another one.",
  "unusable-email": "This address can’t receive mail. Check how it is spelled.",
  unconfirmed:
    "This address isn’t confirmed yet. Open the link in the mail you got when you signed up.",
  "session-missing": "You’re signed out. Sign in, then try again.",
  "too-many-tries": "Too many tries. Try again in a minute.",
  unreachable: "The server can’t be reached. Nothing was changed; try again in a moment.",
} satisfies Record<AuthRefusal["name"], string>;

/** Returns one sentence for the user: what happened and what to do. */
export function authSentence(refusal: AuthRefusal): string {
  if (refusal.name === "too-many-tries" && refusal.wait !== undefined) {
    return `Too many tries. Try again in ${refusal.wait} ${refusal.wait === 1 ? "second" : "seconds"}.`;
  }
  return sentences[refusal.name];
}
