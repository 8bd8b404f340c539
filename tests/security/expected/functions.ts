import { randomUUID } from "node:crypto";
import { toBase64 } from "@/events/core/base64";
import type { Case, Cases } from "../support/cases";
import type { Audience, Shows } from "../support/expectation";
import type { Target } from "../support/scene";
import { wordsOfHistory } from "./tables";

type Rest = { shows?: Shows; changes?: Audience; how?: string };

const call =
  (name: string) =>
  (answers: Audience, args: (target: Target) => object, rest: Rest = {}): Case => ({
    path: () => `/rest/v1/rpc/${name}`,
    ask: (target) => ({ method: "POST", body: args(target) }),
    answers,
    shows: {},
    ...rest,
  });

/** The whole history of a document. */
const history = [...wordsOfHistory, "client id"] as const;

const onDocument = ({ document }: Target) => ({ stream: document });
const onWorkspace = ({ workspace }: Target) => ({ stream: workspace });
const onAccount = ({ person }: Target) => ({ stream: person });
const withToken = ({ invitation, token }: Target) => ({ invitation, token });
const tombstone = toBase64(Uint8Array.of(0, 0, 4, 0));
const some = toBase64(Uint8Array.of(1, 2, 3));

const cases: Readonly<Record<string, (of: ReturnType<typeof call>) => Case[]>> = {
  // For the one address that it was written to, which is nobody's here.
  accept_invitation: (of) => [of("nobody", withToken)],
  append_events: (of) => [
    of(
      "writers",
      ({ document }) => ({
        stream: document,
        expected_version: null,
        events: [{ id: randomUUID(), type: "document.icon_set", body: '{"emoji":"📘"}' }],
      }),
      { changes: "writers", how: "to a document" },
    ),
    of(
      "owner",
      ({ workspace }) => ({
        stream: workspace,
        expected_version: null,
        events: [
          {
            id: randomUUID(),
            type: "workspace.history_graded",
            body: '{"viewer":"everything","commenter":"everything"}',
          },
        ],
      }),
      { changes: "owner", how: "to a workspace" },
    ),
    of(
      "owner",
      ({ person }) => ({
        stream: person,
        expected_version: null,
        events: [{ id: randomUUID(), type: "auth.signed_in", body: "{}" }],
      }),
      { changes: "owner", how: "to an account" },
    ),
  ],
  attest_tombstone: (of) => [of("service", ({ event }) => ({ event, tombstone }))],
  decline_invitation: (of) => [of("nobody", withToken)],
  // Its own session nobody ends so, and no other is the caller's.
  end_session: (of) => [of("nobody", ({ session }) => ({ session }))],
  largest_events: (of) => [
    of("service", ({ document }) => ({ stream: document, after_version: 0, max_count: 1 })),
  ],
  mark_upkeep: (of) => [of("service", ({ document }) => ({ streams: [document] }))],
  open_snapshot: (of) => [of("open", onDocument, { shows: { open: ["deleted text"] } })],
  preview_invitation: (of) => [
    of("keyed", withToken, {
      how: "with its token",
      shows: { keyed: ["workspace name", "owner name", "invitation"] },
    }),
    of("nobody", ({ invitation }) => ({ invitation, token: "x".repeat(32) }), {
      how: "with another token",
    }),
  ],
  read_clients: (of) => [of("open", onDocument, { shows: { open: ["client id"] } })],
  read_departure: (of) => [
    of("removed", ({ workspace }) => ({ workspace }), { shows: { removed: ["owner name"] } }),
  ],
  read_events: (of) => [
    of("open", onDocument, { how: "of a document", shows: { open: history } }),
    of("members", onWorkspace, {
      how: "of a workspace",
      shows: { members: ["workspace name", "invitation"] },
    }),
    of("owner", onAccount, { how: "of an account", shows: { owner: ["owner name", "account"] } }),
  ],
  read_feed: (of) => [
    of("members", ({ workspace }) => ({ workspace }), {
      shows: { members: ["workspace name", "invitation"], open: history },
    }),
  ],
  read_load: (of) => [of("open", onDocument)],
  read_segments: (of) => [
    of("open", ({ document }) => ({ stream: document, of_format: 2 }), {
      shows: { open: ["deleted text"] },
    }),
  ],
  // Everybody's own.
  read_sessions: (of) => [of("people", () => ({}))],
  read_snapshot: (of) => [of("open", onDocument, { shows: { open: ["deleted text"] } })],
  read_snapshot_part: (of) => [
    of("open", ({ document, spare }) => ({ stream: document, version: spare + 5, start: 0 }), {
      shows: { open: ["deleted text"] },
    }),
  ],
  rebuild_projections: (of) => [of("service", () => ({}))],
  renew_caches: (of) => [of("writers", onDocument, { changes: "writers" })],
  stream_topic: (of) => [
    of("open", onDocument, { how: "of a document" }),
    of("members", onWorkspace, { how: "of a workspace" }),
    of("owner", onAccount, { how: "of an account" }),
  ],
  take_upkeep: (of) => [of("service", () => ({}))],
  write_load: (of) => [
    of("service", ({ document }) => ({ stream: document, version: 1, bytes: 1, pieces: 1 })),
  ],
  write_segment: (of) => [
    of("service", ({ document }) => ({
      stream: document,
      from_version: 1,
      to_version: 1,
      seen: 1,
      format: 2,
      moments: 1,
      head: "",
      bytes: some,
    })),
  ],
  write_snapshot: (of) => [
    of("service", ({ document }) => ({ stream: document, version: 1, state: some })),
  ],
  write_snapshot_part: (of) => [
    of("service", ({ document, session }) => ({
      stream: document,
      version: 1,
      upload: session,
      part: 0,
      bytes: some,
    })),
  ],
  write_stop: (of) => [of("service", ({ document }) => ({ stream: document, version: 1 }))],
};

/** What each function of the API answers, to whom, and who changes something by it. */
export const functions: Cases = Object.fromEntries(
  Object.entries(cases).map(([name, made]) => [name, made(call(name))]),
);
