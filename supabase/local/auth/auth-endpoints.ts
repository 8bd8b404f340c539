import { z } from "zod";
import { parseAuthBody } from "./auth-body";
import type { Call } from "../http/call";
import { refusal } from "../http/refusals";
import { usersPath } from "./admin-users";

/** The limits that a call can count against. */
export type LimitKind = "signIn" | "signUp" | "refresh" | "verify" | "mail" | "password";

/** An address in canonical form, the same for the limits, Lite and the database. */
const email = z
  .string()
  .transform((text) => text.trim().toLowerCase())
  .refine((text) => text.length <= 255 && !hasControls(text));
/** An address that can receive mail. The field is empty if the client sends no address. */
const mailable = email.refine((text) => text === "" || isAddress(text));
const text = z.string().max(4096);
const optional = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined);
// Phone sign-in is not supported. Clients without a phone number send an empty field.
const noPhone = optional(z.literal(""));

const bodies = {
  signUp: z.object({
    email,
    password: text.min(1),
    data: optional(z.record(z.string(), z.unknown())),
    phone: noPhone,
  }),
  password: z.object({ email, password: text, phone: noPhone }),
  refresh: z.object({ refresh_token: text }),
  pkce: z.object({ auth_code: text, code_verifier: text }),
  // Client libraries name this field differently.
  link: z.object({
    email,
    create_user: optional(z.boolean()),
    options: optional(z.object({ shouldCreateUser: optional(z.boolean()) })),
    phone: noPhone,
  }),
  address: z.object({ email }),
  resend: z.object({ type: z.enum(["signup", "email_change"]), email, phone: noPhone }),
  verify: z
    .object({
      type: z.enum([
        "signup",
        "magiclink",
        "recovery",
        "email",
        "email_change",
        "reauthentication",
      ]),
      email: optional(email),
      token: optional(text),
      token_hash: optional(text),
      phone: noPhone,
    })
    .refine(({ email, token, token_hash }) => (token_hash ? !email && !token : email && token)),
  user: z.object({
    email: optional(mailable),
    password: optional(text),
    data: optional(z.record(z.string(), z.unknown())),
    phone: noPhone,
  }),
  scope: z.object({ scope: optional(text) }),
};

export type AuthBody = { [Name in keyof typeof bodies]: z.output<(typeof bodies)[Name]> };

type Endpoint = {
  method: string;
  path: string;
  grant?: string;
  query?: string[];
  limitKind?: LimitKind;
  body?: keyof AuthBody;
  bodyIsOptional?: true;
};

/**
 * All supported endpoints of Lite's auth: parameters, body fields and limits. Anything else is
 * refused.
 */
export const endpoints: readonly Endpoint[] = [
  { method: "POST", path: "signup", limitKind: "signUp", body: "signUp" },
  { method: "POST", path: "token", grant: "password", limitKind: "signIn", body: "password" },
  { method: "POST", path: "token", grant: "refresh_token", limitKind: "refresh", body: "refresh" },
  { method: "POST", path: "token", grant: "pkce", limitKind: "signIn", body: "pkce" },
  { method: "POST", path: "otp", limitKind: "mail", body: "link" },
  { method: "POST", path: "magiclink", limitKind: "mail", body: "link" },
  { method: "POST", path: "recover", limitKind: "mail", body: "address" },
  { method: "POST", path: "resend", limitKind: "mail", body: "resend" },
  { method: "POST", path: "verify", limitKind: "verify", body: "verify" },
  { method: "GET", path: "verify", limitKind: "verify", query: ["type", "token", "redirect_to"] },
  { method: "POST", path: "logout", query: ["scope"], body: "scope", bodyIsOptional: true },
  { method: "GET", path: "user" },
  { method: "PUT", path: "user", body: "user" },
  { method: "GET", path: "reauthenticate", limitKind: "mail" },
  { method: "GET", path: `${usersPath}…` },
  { method: "DELETE", path: `${usersPath}…` },
  { method: "GET", path: "health" },
  { method: "GET", path: "settings" },
  { method: "GET", path: ".well-known/jwks.json" },
  { method: "GET", path: ".well-known/openid-configuration" },
  {
    method: "GET",
    path: "authorize",
    query: ["provider", "redirect_to", "scopes", "code_challenge", "code_challenge_method"],
  },
];

/** A parsed auth call: limits, checks and handlers see these fields and no others. */
export type AuthCall = {
  [Name in keyof AuthBody | "none"]: {
    method: string;
    path: string;
    limitKind: LimitKind | null;
    /** The parameters that Lite may see. */
    query: URLSearchParams;
    redirect: string | null;
    kind: Name;
    body: Name extends keyof AuthBody ? AuthBody[Name] : null;
  };
}[keyof AuthBody | "none"];

/**
 * Parses a request to `/auth/v1`, or returns a refusal if the endpoint is not supported or the
 * request is malformed.
 */
export function readAuthCall(
  { head, url }: Pick<Call, "head" | "url">,
  bytes: Uint8Array,
): AuthCall | Response {
  const { pathname, searchParams } = url;
  const path = pathname.slice("/auth/v1/".length);
  const named = path.replace(/^(admin\/users\/)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "$1…");
  const there = endpoints.filter((endpoint) => endpoint.path === named);
  if (there.length === 0)
    return refusal(
      404,
      "not_found",
      `The embedded backend does not offer /auth/v1/${path.slice(0, 100)}.`,
    );
  const known = there.filter(({ method }) => method === head.method);
  if (known.length === 0)
    return refusal(405, "method_not_allowed", "Method not allowed", {
      allow: there.map(({ method }) => method).join(", "),
    });
  const grants = searchParams.getAll("grant_type");
  const endpoint = known.find(
    ({ grant }) => grant === undefined || (grants.length === 1 && grant === grants[0]),
  );
  if (!endpoint)
    return refusal(
      400,
      "unsupported_grant_type",
      "Sign in with grant_type=password, refresh_token or pkce.",
    );
  const query = new URLSearchParams(
    endpoint.grant === undefined ? {} : { grant_type: endpoint.grant },
  );
  for (const name of endpoint.query ?? []) {
    const [value, ...more] = searchParams.getAll(name);
    if (more.length > 0) return refusal(400, "validation_failed", `${name} must be given once.`);
    if (value !== undefined) query.set(name, value);
  }
  const call = {
    method: endpoint.method,
    path,
    limitKind: endpoint.limitKind ?? null,
    query,
    redirect: searchParams.get("redirect_to"),
  };
  const kind = endpoint.body;
  if (kind === undefined) return { ...call, kind: "none", body: null };
  return readBody(
    kind,
    endpoint.bodyIsOptional === true && bytes.byteLength === 0
      ? {}
      : parseAuthBody(bytes, head.headers),
    call,
  );
}

function readBody(
  kind: keyof AuthBody,
  value: object | null,
  call: Omit<AuthCall, "kind" | "body">,
): AuthCall | Response {
  if (value === null)
    return refusal(400, "bad_json", "The request body must be a JSON object in UTF-8.");
  const missing = notOffered(kind, value);
  if (missing !== null)
    return refusal(
      missing.status,
      missing.code,
      `The embedded backend does not offer ${missing.name}.`,
    );
  const body = bodies[kind].safeParse(value);
  if (!body.success) {
    const fields = [
      ...new Set(body.error.issues.map(({ path }) => path.join(".")).filter(Boolean)),
    ];
    return refusal(
      400,
      "validation_failed",
      fields.length > 0
        ? `Invalid fields: ${fields.join(", ")}`
        : "Send either a token and its email, or a token_hash.",
    );
  }
  // `kind` names the schema that has just parsed the body.
  return { ...call, kind, body: body.data } as AuthCall;
}

/** Returns the error for a feature that the body requests and this backend does not offer. */
function notOffered(
  kind: keyof AuthBody,
  value: object,
): { name: string; code: string; status: number } | null {
  if ("phone" in value && value.phone)
    return { name: "signing in by phone", code: "phone_provider_disabled", status: 400 };
  if (kind === "signUp" && !("email" in value))
    return {
      name: "signing in without an account",
      code: "anonymous_provider_disabled",
      status: 422,
    };
  return null;
}

/** Whether a text is a local part and a domain of at least two labels. Any script is allowed. */
function isAddress(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@([\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])$/u.test(
    text,
  );
}

function hasControls(value: string): boolean {
  return /[\0-\x1f\x7f]/.test(value);
}
