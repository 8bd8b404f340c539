import { randomUUID } from "node:crypto";
import { toBase64 } from "@/events/core/bytes/base64";
import { segmentFormat } from "@/events/history/segments/segment-store";
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
  // Only the invited address may accept, which none of the callers has.
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
  announced_upload: (of) => [of("service", ({ person, document }) => ({ person, file: document }))],
  begin_sending: (of) => [
    of("service", ({ person, document }) => ({
      person,
      file: document,
      bytes: 1,
      sha256: "b".repeat(64),
    })),
  ],
  begin_upload: (of) => [of("service", ({ person, document }) => ({ person, file: document }))],
  // Only owners with the token may call. The content is mailed to the invitation's address.
  claim_invitation_mail: (of) => [
    of("owner", withToken, {
      shows: { owner: ["workspace name", "owner name", "invitation"] },
    }),
  ],
  decline_invitation: (of) => [of("nobody", withToken)],
  mark_unused_file: (of) => [
    of("service", ({ workspace }) => ({ workspace, sha256: "b".repeat(64) })),
  ],
  // Another address than the caller's own, which would delete the caller.
  // tests/sql/account-deletion.test.ts covers the caller's own address.
  delete_account: (of) => [of("nobody", () => ({ address: "nobody@example.com" }))],
  // A person cannot end their current session this way, and no other session here is theirs.
  end_session: (of) => [of("nobody", ({ session }) => ({ session }))],
  end_upload: (of) => [of("service", ({ person, document }) => ({ person, file: document }))],
  file_room: (of) => [of("members", ({ workspace }) => ({ workspace }))],
  find_file: (of) => [of("members", ({ attached }) => ({ file: attached }))],
  forget_account: (of) => [of("service", () => ({ person: randomUUID() }))],
  forget_disposed: (of) => [
    of("service", ({ workspace }) => ({
      workspace,
      sha256: "a".repeat(64),
      taken_at: "2026-01-01T00:00:00Z",
    })),
  ],
  largest_events: (of) => [
    of("service", ({ document }) => ({ stream: document, after_version: 0, max_count: 1 })),
  ],
  // No document links to this one. tests/sql/document-links.test.ts covers documents with links.
  links_to: (of) => [of("nobody", ({ document }) => ({ document }))],
  mark_all_read: (of) => [
    of("members", ({ workspace }) => ({ workspace, until: "2026-11-24T10:00:00Z" }), {
      changes: "members",
    }),
  ],
  mark_seen: (of) => [
    of("members", ({ document, named }) => ({ document, version: named, opened: true }), {
      changes: "members",
    }),
  ],
  mark_upkeep: (of) => [of("service", ({ document }) => ({ streams: [document] }))],
  may_dispose: (of) => [
    of("service", ({ workspace }) => ({
      workspace,
      sha256: "a".repeat(64),
      taken_at: "2026-01-01T00:00:00Z",
    })),
  ],
  // A project's migrations are not secret, and a process without a secret key reads them.
  missing_migrations: (of) => [of("keyed", () => ({ versions: ["1"] }))],
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
  read_account_end: (of) => [of("members", () => ({}), { shows: { members: ["workspace name"] } })],
  read_clients: (of) => [of("open", onDocument, { shows: { open: ["client id"] } })],
  read_deleted_accounts: (of) => [of("service", () => ({}))],
  // The caller's own data.
  own_file_room: (of) => [of("people", () => ({}))],
  read_disposable: (of) => [of("service", () => ({}))],
  read_unused_pictures: (of) => [of("service", () => ({}))],
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
  read_index: (of) => [of("service", onDocument)],
  read_load: (of) => [of("open", onDocument)],
  // Returns the documents where the caller wrote. Only the owner wrote here.
  read_own_documents: (of) => [of("owner", () => ({}), { shows: { owner: ["title"] } })],
  // The caller's own data.
  read_personal: (of) => [of("members", ({ workspace }) => ({ workspace }))],
  read_segments: (of) => [
    of("open", ({ document }) => ({ stream: document, of_format: segmentFormat }), {
      shows: { open: ["deleted text"] },
    }),
  ],
  // The caller's own data.
  read_sessions: (of) => [of("people", () => ({}))],
  read_snapshot: (of) => [of("open", onDocument, { shows: { open: ["deleted text"] } })],
  read_snapshot_part: (of) => [
    of("open", ({ document, spare }) => ({ stream: document, version: spare + 6, start: 0 }), {
      shows: { open: ["deleted text"] },
    }),
  ],
  read_unindexed: (of) => [of("service", () => ({}))],
  rebuild_index: (of) => [of("service", () => ({ workspace: randomUUID() }))],
  read_unlinked: (of) => [of("service", () => ({}))],
  rebuild_projections: (of) => [of("service", () => ({}))],
  renew_caches: (of) => [of("writers", onDocument, { changes: "writers" })],
  // Every word of the scene starts with `zq`, and the results complete the words.
  search: (of) => [
    of("members", ({ workspace }) => ({ workspace, words: "zq" }), {
      how: "in the text now",
      shows: { members: ["title", "text", "comment", "thread"] },
    }),
    of("members", ({ workspace }) => ({ workspace, words: "zqdeletedtext", scope: "ever" }), {
      how: "for what was deleted",
      shows: { open: ["text", "deleted text"] },
    }),
    of("members", ({ workspace }) => ({ workspace, words: "zqnamedtext", scope: "ever" }), {
      how: "for what has a name",
      shows: { members: ["text", "named text"], restricted: ["version name"] },
    }),
  ],
  set_favourite: (of) => [
    of("members", ({ document }) => ({ document, favourite: true, place: 0 }), {
      changes: "members",
    }),
  ],
  take_address: (of) => [
    of("service", ({ person, document }) => ({
      object_name: `${person}/${document}`,
      address: randomUUID(),
    })),
  ],
  derive_by: (of) => [of("service", () => ({ kind: "lines", rule: 1 }))],
  settle_index: (of) => [of("service", ({ workspace }) => ({ workspace, up_to: 0 }))],
  stream_topic: (of) => [
    of("open", onDocument, { how: "of a document" }),
    of("members", onWorkspace, { how: "of a workspace" }),
    of("owner", onAccount, { how: "of an account" }),
  ],
  rest_links: (of) => [of("service", ({ document }) => ({ stream: document }))],
  return_stale_lines: (of) => [of("service", () => ({ documents: [] }))],
  take_stale_lines: (of) => [of("service", () => ({}))],
  settle_upkeep: (of) => [
    of("service", ({ document }) => ({ stream: document, taken_at: "2026-11-01T00:00:00Z" })),
  ],
  take_upkeep: (of) => [of("service", () => ({}))],
  take_work: (of) => [of("service", () => ({ process: randomUUID(), kinds: ["upkeep"] }))],
  // Returns the caller's own workspaces, and empty lists for non-members.
  read_workspace_window: (of) => [
    of("people", ({ workspace }) => ({ workspace, here: null, rows_of_each: 100 }), {
      shows: { members: ["workspace name", "owner name", "owner address", "title", "invitation"] },
    }),
  ],
  read_workspaces: (of) => [
    of("members", () => ({ after_name: null, after_id: null, most: 100 }), {
      shows: { members: ["workspace name"] },
    }),
  ],
  write_index: (of) => [
    of("service", ({ document }) => ({
      stream: document,
      seen: 0,
      gone: [],
      entries: [],
      whole: false,
    })),
  ],
  write_lines: (of) => [
    of("service", ({ document }) => ({
      stream: document,
      after_version: 0,
      seen: 1,
      head: "",
      lines: [],
    })),
  ],
  write_links: (of) => [
    of("service", ({ document }) => ({ stream: document, seen: 1, links: [] })),
  ],
  write_load: (of) => [
    of("service", ({ document }) => ({ stream: document, version: 1, bytes: 1, pieces: 1 })),
  ],
  write_segment: (of) => [
    of("service", ({ document }) => ({
      stream: document,
      from_version: 1,
      to_version: 1,
      seen: 1,
      format: segmentFormat,
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

/** The answer of each API function for each audience, and the audience whose calls change data. */
export const functions: Cases = Object.fromEntries(
  Object.entries(cases).map(([name, made]) => [name, made(call(name))]),
);
