import { randomUUID } from "node:crypto";
import { z } from "zod";
import { demoEmails, demoPassword } from "../../demo-people";
import type { AuthBody, AuthCall } from "./auth-endpoints";
import type { EmailChanges } from "./email-change";
import { openSignedToken } from "../mail/mail-links";
import { filled } from "../mail/mail-template";
import type { Template } from "../mail/mail-template";
import type { Mailbox } from "../mail/mailbox";
import type { Nobody } from "../nobody";
import { linkExpired, refusal } from "../http/refusals";

/** Repeats the call to Lite with another body, or makes a different call. */
export type LiteAuth = (
  body: object | null,
  other?: { path?: string; query?: Record<string, string> },
) => Promise<Response>;

export type AccountOptions = {
  nobody: Nobody;
  changes: EmailChanges;
  mailbox: Mailbox;
  existingAccount: Template;
  /** The installation's URL, a placeholder in mails until they are sent. */
  mailUrl: string;
  jwtSecret: string;
  signUpIsOpen: boolean;
  /** Whether the two demo people may sign in with their public password. */
  demoIsOpen: boolean;
  codeLength: number;
  mayMail: (account: string) => boolean;
};

const userSchema = z.looseObject({ id: z.string() });
const sessionSchema = z.looseObject({ access_token: z.string() });
const codeSchema = z.looseObject({ error_code: z.string() });
/** The number of bytes that bcrypt uses. Later bytes would not be part of the password. */
const mostBytes = 72;

/**
 * Answers account calls so that neither the response nor its timing reveals whether an address has
 * an account. Calls for an unknown address run against a dummy account (`nobody`). If an address is
 * taken, its owner is notified by mail.
 */
export function accountAnswers(
  options: AccountOptions,
): (call: AuthCall, lite: LiteAuth) => Promise<Response> {
  const {
    nobody,
    changes,
    mailbox,
    existingAccount,
    mailUrl,
    jwtSecret,
    signUpIsOpen,
    demoIsOpen,
    codeLength,
    mayMail,
  } = options;
  const code = new RegExp(`^\\d{${codeLength}}$`);

  /** Spends the time of one password hash. */
  const hashInVain = (lite: LiteAuth, password: string) =>
    lite({ email: nobody.email, password }, { path: "token", query: { grant_type: "password" } });

  async function signUp(body: AuthBody["signUp"], lite: LiteAuth): Promise<Response> {
    if (isTooLong(body.password)) return tooLong();
    const response = await lite(body);
    if (response.ok) {
      // A session signs the person in at once. If addresses need confirmation there is none, and
      // all responses look the same.
      const session = sessionSchema.safeParse(await response.json());
      return Response.json(session.success ? session.data : unconfirmed(body));
    }
    const refused = codeSchema.safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    const exists =
      refused.success &&
      ["user_already_exists", "over_email_send_rate_limit"].includes(refused.data.error_code);
    if (!exists) return response;
    await hashInVain(lite, body.password);
    if (mayMail(body.email))
      await mailbox.send({
        to: body.email,
        ...filled(existingAccount, { SiteURL: mailUrl, Email: body.email }),
      });
    return Response.json(unconfirmed(body));
  }

  async function signIn(body: AuthBody["password"], lite: LiteAuth): Promise<Response> {
    const isKnown = await nobody.hasPassword(body.email);
    const isPublic =
      !demoIsOpen &&
      body.password === demoPassword &&
      Object.values(demoEmails).includes(body.email);
    return lite({ ...body, email: isKnown && !isPublic ? body.email : nobody.email });
  }

  async function sendLink(
    { email, create_user, options }: AuthBody["link"],
    lite: LiteAuth,
  ): Promise<Response> {
    const creates = signUpIsOpen && (create_user ?? options?.shouldCreateUser) !== false;
    const known = await nobody.hasAccount(email);
    if (creates && known) await hashInVain(lite, email);
    const to = known || creates ? email : nobody.email;
    return lite({ email: to, create_user: creates && !known }, { path: "otp" });
  }

  /** Verifies with Lite, which uses older names of token types. `email` means one of two types. */
  async function verify(body: AuthBody["verify"], lite: LiteAuth): Promise<Response> {
    const hash = body.token_hash === undefined ? null : openSignedToken(body.token_hash, jwtSecret);
    // A code of another length could shift characters into the address, and evade the limit on
    // attempts.
    const isShown = hash !== null || (body.email !== undefined && code.test(body.token ?? ""));
    if (!isShown) return linkExpired();
    const shown = hash === null ? { email: body.email, token: body.token } : { token_hash: hash };
    if (body.type === "email_change") {
      return hash === null
        ? linkExpired()
        : changes.confirm(hash, (current) => lite({ type: "email_change", token_hash: current }));
    }
    if (body.type !== "email") return lite({ type: body.type, ...shown });
    const link = await lite({ type: "magiclink", ...shown });
    return link.ok ? link : lite({ type: "signup", ...shown });
  }

  async function follow(query: URLSearchParams, lite: LiteAuth): Promise<Response> {
    // If a GET confirmed the change, a mailbox's link scanner would confirm it.
    if (query.get("type") === "email_change")
      return refusal(405, "method_not_allowed", "Verify with POST");
    const token = query.get("token");
    return lite(null, {
      query: {
        ...Object.fromEntries(query),
        ...(token !== null && { token: openSignedToken(token, jwtSecret) ?? "no link of ours" }),
      },
    });
  }

  async function change(
    { email, password, data }: AuthBody["user"],
    lite: LiteAuth,
  ): Promise<Response> {
    if (password !== undefined && isTooLong(password)) return tooLong();
    const response = await lite({
      ...(password !== undefined && { password }),
      ...(data !== undefined && { data }),
    });
    if (!response.ok || !email) return response;
    const user = userSchema.parse(await response.json());
    return Response.json({ ...user, ...(await changes.ask(user.id, email)) });
  }

  return async (call, lite) => {
    switch (call.kind) {
      case "signUp":
        return signUp(call.body, lite);
      case "password":
        return signIn(call.body, lite);
      case "address":
        return lite({
          email: (await nobody.hasAccount(call.body.email)) ? call.body.email : nobody.email,
        });
      case "link":
        return sendLink(call.body, lite);
      case "resend":
        // Lite refuses to resend, and its refusal would reveal what is pending.
        return Response.json({});
      case "verify":
        return verify(call.body, lite);
      case "user":
        return change(call.body, lite);
      case "none":
        return call.path === "verify" ? follow(call.query, lite) : lite(null);
      default:
        return lite(call.body);
    }
  };
}

/**
 * Builds the response to a sign-up that needs confirmation from the request alone, so that the
 * response is the same for free and taken addresses.
 */
function unconfirmed({ email, data }: AuthBody["signUp"]): object {
  const [id, now] = [randomUUID(), new Date().toISOString()];
  const metadata = { ...data, email, email_verified: false, phone_verified: false, sub: id };
  const identity = {
    identity_id: randomUUID(),
    id,
    user_id: id,
    identity_data: metadata,
    provider: "email",
    last_sign_in_at: now,
    created_at: now,
    updated_at: now,
    email,
  };
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    phone: "",
    confirmation_sent_at: now,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: metadata,
    identities: [identity],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

function isTooLong(password: string): boolean {
  return Buffer.byteLength(password) > mostBytes;
}

function tooLong(): Response {
  return refusal(
    422,
    "password_too_long",
    `A password has at most ${mostBytes} bytes; letters beyond ASCII take two to four.`,
  );
}
