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
/** Everybody's own. */
const own: Shows = { owner: ["owner name", "owner address"] };

/** What each address of auth answers to who has not the password, code or link that it asks for. */
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
  // Last: it ends the sessions of who may call it.
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

/** Addresses that are asked for although auth does not offer them. */
export const notOffered = ["GET admin/users", "GET callback"];

const invite: Case = {
  path: () => "/functions/v1/invite",
  ask: ({ workspace, invitation, token }) => ({
    method: "POST",
    body: { workspace, invitation, token },
  }),
  // By mail, to the address that the invitation is for; whoever asks is told nothing.
  answers: "nobody",
  shows: {},
};

/** What each of the functions answers. */
export const edgeFunctions: Cases = { invite: [invite] };
