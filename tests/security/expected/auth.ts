import type { Case, Cases } from "../support/cases";
import type { Audience, Shows } from "../support/expectation";

const at = (
  path: string,
  answers: Audience,
  rest: { shows?: Shows; changes?: Audience } = {},
): Case[] => [{ path: () => `/auth/v1/${path}`, answers, shows: {}, ...rest }];
const post = (path: string): Case[] => [
  {
    path: () => `/auth/v1/${path}`,
    ask: () => ({ method: "POST", body: {} }),
    answers: "nobody",
    shows: {},
  },
];
/** The caller's own data. */
const own: Shows = { owner: ["owner name", "owner address"] };

/** The answer of each auth endpoint to a caller without the required password, code or link. */
export const auth: Cases = {
  "POST signup": post("signup"),
  "POST token password": post("token?grant_type=password"),
  "POST token refresh_token": post("token?grant_type=refresh_token"),
  "POST token pkce": post("token?grant_type=pkce"),
  "POST otp": post("otp"),
  "POST magiclink": post("magiclink"),
  "POST recover": post("recover"),
  "POST resend": post("resend"),
  "POST verify": post("verify"),
  "GET verify": at("verify?type=magiclink&token=x", "nobody"),
  "GET user": at("user", "people", { shows: own }),
  "PUT user": [
    {
      path: () => "/auth/v1/user",
      ask: () => ({ method: "PUT", body: {} }),
      answers: "people",
      shows: own,
    },
  ],
  "GET reauthenticate": at("reauthenticate", "people", { changes: "people" }),
  "GET admin/users/…": [
    { path: ({ person }) => `/auth/v1/admin/users/${person}`, answers: "service", shows: {} },
  ],
  "DELETE admin/users/…": [
    {
      path: ({ person }) => `/auth/v1/admin/users/${person}`,
      ask: () => ({ method: "DELETE" }),
      answers: "service",
      notByService: true,
      shows: {},
    },
  ],
  "GET health": at("health", "keyed"),
  "GET settings": at("settings", "keyed"),
  "GET .well-known/jwks.json": at(".well-known/jwks.json", "keyed"),
  "GET .well-known/openid-configuration": at(".well-known/openid-configuration", "keyed"),
  "GET authorize": at("authorize?provider=github", "nobody"),
  "GET admin/users": at("admin/users", "nobody"),
  "GET callback": at("callback", "nobody"),
  // Last, because it ends the caller's sessions.
  "POST logout": [
    {
      path: () => "/auth/v1/logout?scope=global",
      ask: () => ({ method: "POST" }),
      answers: "people",
      changes: "people",
      shows: {},
    },
  ],
};

/** Endpoints that are requested although auth does not offer them. */
export const notOffered = ["GET admin/users", "GET callback"];

const invite: Case = {
  path: () => "/functions/v1/invite",
  ask: ({ workspace, invitation, token }) => ({
    method: "POST",
    body: { workspace, invitation, token },
  }),
  // The mail is sent to the invitation's address, and the caller gets no information.
  answers: "nobody",
  shows: {},
};

/** The answer of each function. */
export const edgeFunctions: Cases = { invite: [invite] };
