import { randomUUID } from "node:crypto";
import type { Case, Cases } from "../support/cases";
import type { Place } from "../support/canaries";
import type { Audience, Shows } from "../support/expectation";
import type { Target } from "../support/scene";

const page = (
  answers: Audience,
  path: (target: Target) => string,
  shows: Shows = {},
  rest: Pick<Case, "how" | "ask" | "by" | "mayShow"> = {},
): Case => ({ path, answers, shows, ...rest });

/** Requests the page itself, and the data that Next's client fetches for the page. */
const both = (...args: [Audience, (target: Target) => string, Shows?]): Case[] => [
  page(...args),
  page(args[0], args[1], args[2], {
    how: "as data",
    by: "kept",
    ask: () => ({ headers: { rsc: "1" } }),
  }),
];

const post = (
  path: (target: Target) => string,
  answers: Audience,
  body: (target: Target) => object,
  rest: Pick<Case, "changes" | "shows"> | Pick<Case, "shows">,
): Case => ({ path, answers, ask: (target) => ({ method: "POST", body: body(target) }), ...rest });

/** The data around every page of a workspace. */
const frame: readonly Place[] = [
  "workspace name",
  "owner name",
  "owner address",
  "title",
  "invitation",
];
/** A line per change by others since the last visit, for readers who may see the history. */
const changeLines: Shows = { open: ["version name"] };
/** Requests a page of a workspace. Its frame, which these pages share, has the activity. */
const workspacePage = (rest: string) => [
  page(
    "members",
    ({ workspace }) => `/w/${workspace}${rest}`,
    { members: frame },
    { by: "some", mayShow: changeLines },
  ),
];
const documentPath =
  (rest = "") =>
  ({ document }: Target) =>
    `/d/${document}${rest}`;
const fixed = (answers: Audience, path: string) => [page(answers, () => path, {}, { by: "some" })];

/** A picture that does not exist. Each person gets their own upload address for it. */
const newPicture = randomUUID();

/** The answer of each route for each audience, and the audience whose calls change data. */
export const routes: Cases = {
  "/": fixed("outsiders", "/"),
  // The caller's own data.
  "/account": [
    page("people", () => "/account", { owner: ["owner name", "owner address"] }, { by: "some" }),
  ],
  "/account/data": [
    page("people", () => "/account/data", {
      owner: ["owner name", "owner address", "title"],
      members: ["workspace name"],
    }),
    page(
      "members",
      ({ document }) => `/account/data?document=${document}`,
      { owner: ["text", "deleted text", "named text", "comment"] },
      { how: "of a document" },
    ),
  ],
  // Another address than the caller's own.
  "/account/delete": [
    post(
      () => "/account/delete",
      "nobody",
      () => ({ email: "nobody@example.com", alone: [] }),
      { shows: {} },
    ),
  ],
  "/account/picture/[picture]": [
    post(
      () => `/account/picture/${newPicture}`,
      "people",
      () => ({ bytes: 1 }),
      { shows: {} },
    ),
    // A picture that was never sent.
    {
      ...page("nobody", () => `/account/picture/${newPicture}`),
      ask: () => ({ method: "PUT", body: {} }),
    },
  ],
  "/avatars/[person]/[picture]": [
    // Storage records the time of the last read.
    {
      ...page("members", ({ person, picture }) => `/avatars/${person}/${picture}`, {
        members: ["picture content"],
      }),
      changes: "members",
    },
  ],
  "/auth/confirm": fixed("everybody", "/auth/confirm"),
  "/d/[document]": [
    ...both("members", documentPath(), {
      members: [...frame, "text"],
      open: ["client id"],
      restricted: ["version name", "comment", "thread"],
    }),
    page(
      "members",
      ({ document, named }) => `/d/${document}?version=${named}`,
      {
        members: [...frame, "text"],
        open: ["client id"],
        restricted: ["named text", "version name"],
      },
      { how: "of a named version", by: "kept" },
    ),
    page(
      "members",
      ({ document, spare }) => `/d/${document}?version=${spare}`,
      {
        members: [...frame, "text"],
        open: ["client id"],
        restricted: ["version name", "comment", "thread"],
      },
      { how: "of a version without a name", by: "kept" },
    ),
  ],
  "/d/[document]/cut": [post(documentPath("/cut"), "nobody", () => ({}), { shows: {} })],
  "/d/[document]/files/[file]": [
    post(
      ({ document, attached }) => `/d/${document}/files/${attached}`,
      "writers",
      () => ({ bytes: 1 }),
      {
        shows: {},
      },
    ),
    // A file that was never uploaded.
    {
      ...page("nobody", ({ document }) => `/d/${document}/files/${randomUUID()}`),
      ask: () => ({ method: "PUT", body: { id: randomUUID(), name: "paper.txt", kind: "file" } }),
    },
  ],
  "/d/[document]/files/[file]/copy": [
    // Callers who may write to the document already have the file in it.
    post(
      ({ document, attached }) => `/d/${document}/files/${attached}/copy`,
      "writers",
      () => ({ id: randomUUID() }),
      { shows: {} },
    ),
  ],
  "/files/[file]": [
    // Storage records the time of the last read.
    {
      ...page("open", ({ attached }) => `/files/${attached}`, { open: ["attached content"] }),
      changes: "open",
    },
  ],
  "/d/[document]/download": [
    page("members", documentPath("/download?as=md"), { members: ["text", "title"] }),
    page(
      "members",
      documentPath("/download?as=html"),
      { members: ["text", "title"] },
      { how: "as a page", by: "kept" },
    ),
  ],
  "/d/[document]/segments": [page("open", documentPath("/segments"), { open: ["deleted text"] })],
  "/d/[document]/state": [page("open", documentPath("/state"), { open: ["text", "client id"] })],
  "/d/[document]/comments": [
    page("members", documentPath("/comments"), { members: ["text", "comment", "thread"] }),
  ],
  "/d/[document]/thread": [
    post(
      documentPath("/thread"),
      "members",
      ({ words }) => ({
        thread: randomUUID(),
        comment: randomUUID(),
        opened: { id: randomUUID() },
        added: { id: randomUUID() },
        words,
        near: 0,
        at: Number.MAX_SAFE_INTEGER,
        text: "hello",
      }),
      { changes: "commenters", shows: {} },
    ),
  ],
  "/demo": [
    {
      ...post(
        () => "/demo",
        "service",
        () => ({}),
        { shows: {} },
      ),
      notByService: true,
    },
  ],
  "/forgot-password": fixed("everybody", "/forgot-password"),
  "/health": fixed("everybody", "/health"),
  "/icon.svg": fixed("everybody", "/icon.svg"),
  "/invite/[invitation]": [
    page(
      "everybody",
      ({ invitation, token }) => `/invite/${invitation}?token=${token}`,
      {
        everybody: ["workspace name", "owner name", "invitation"],
        owner: ["owner address"],
      },
      { how: "with its token", by: "some" },
    ),
    page(
      "everybody",
      ({ invitation }) => `/invite/${invitation}?token=${"x".repeat(32)}`,
      { owner: ["owner name", "owner address"] },
      { how: "with another token", by: "some" },
    ),
  ],
  "/mail": fixed("nobody", "/mail"),
  "/mail/messages.json": fixed("nobody", "/mail/messages.json"),
  "/metrics": fixed("nobody", "/metrics"),
  "/player-template": fixed("people", "/player-template"),
  "/ready": fixed("everybody", "/ready"),
  "/reset-password": fixed("everybody", "/reset-password"),
  "/robots.txt": fixed("everybody", "/robots.txt"),
  "/service-worker.js": fixed("everybody", "/service-worker.js"),
  // Signed-in callers are redirected.
  "/sign-in": fixed("unknown", "/sign-in"),
  "/sign-up": fixed("unknown", "/sign-up"),
  "/unchecked": fixed("people", "/unchecked"),
  "/upkeep": [
    post(
      () => "/upkeep",
      "service",
      () => ({}),
      { shows: {} },
    ),
  ],
  "/w/[workspace]": workspacePage(""),
  "/w/[workspace]/activity": both("members", ({ workspace }) => `/w/${workspace}/activity`, {
    members: frame,
    open: ["former title", "version name"],
  }),
  "/w/[workspace]/members": workspacePage("/members"),
  "/w/[workspace]/search": [
    page(
      "members",
      ({ workspace }) => `/w/${workspace}/search?q=zq`,
      { members: [...frame, "text", "comment", "thread"] },
      { by: "some", mayShow: changeLines },
    ),
  ],
  "/w/[workspace]/trash": workspacePage("/trash"),
  "/_global-error": fixed("nobody", "/_global-error"),
  "/_not-found": fixed("nobody", "/_not-found"),
  // Runs last, because it drops the caches.
  "/d/[document]/redact": [
    post(
      documentPath("/redact"),
      "owner",
      ({ spare }) => ({ id: randomUUID(), version: spare, reason: "Leaked", quotes: [] }),
      { changes: "owner", shows: {} },
    ),
  ],
};
