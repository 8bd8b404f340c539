import { act } from "react";
import { afterAll, afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { ChannelListener } from "@/events/realtime/channel";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { at, documentRow } from "./document-row.fixture";
import { firstView } from "./initial-view";
import { LiveWorkspace } from "./live-workspace";
import { partsStore } from "./parts-store";
import {
  useDocumentRow,
  useWorkspace,
  useWorkspaceValue,
  WorkspaceContext,
} from "./workspace-context";
import type { WorkspaceView } from "./workspace-context";
import { WorkspaceShell } from "./workspace-shell";
import type { WorkspaceSnapshot } from "./workspace-snapshot";

const memberRow = (userId: string) => ({
  userId,
  role: "editor" as const,
  phase: "active",
  email: null,
  color: 1,
  givenColor: 1,
  picture: null,
  joinedAt: at,
  name: userId,
});
const snapshot: WorkspaceSnapshot = {
  me: { userId: "ana", name: "ana", color: 1 },
  workspace: {
    id: "w",
    name: "Library",
    phase: "active",
    version: 3,
    createdBy: "ana",
    createdAt: at,
    history: { viewer: "everything", commenter: "everything" },
  },
  workspaces: [{ id: "w", name: "Library" }],
  members: [memberRow("ana"), memberRow("ben")],
  invitations: [],
  documents: ["atlas", "botany"].map((id) => documentRow(id)),
  changes: {},
  rest: null,
  lines: {},
  personal: { readAt: "", favourites: [], recents: [], unread: {} },
  clock: { now: Date.parse(at), zone: "UTC" },
  allowed: [],
};

/** The database's answer to a tab that requests documents. Other requests get no rows. */
const database = { documents: snapshot.documents, failures: 0 };
const refused = { data: null, error: { message: "out of order", code: "XX000" }, status: 500 };
/** The listener of the tab's one channel. */
let channel: ChannelListener = {};

const wireRow = (row: DocumentRow) => ({
  id: row.id,
  workspace_id: row.workspaceId,
  title: row.title,
  icon: row.icon,
  template: row.template,
  parent_id: row.parent,
  rank: row.rank,
  phase: row.phase,
  version: row.version,
  created_by: row.createdBy,
  created_at: row.createdAt,
  updated_by: row.updatedBy,
  updated_at: row.updatedAt,
  edits: row.edits,
  forked_from: row.forkedFrom,
  forked_at: row.forkedAt,
});

vi.mock("@/components/session/backend-provider", () => {
  const answer = (documents: readonly DocumentRow[]) =>
    database.failures-- > 0 ? refused : { data: documents.map(wireRow), error: null, status: 200 };
  const from = (table: string) => {
    const query = {
      select: () => query,
      eq: () => query,
      order: () => query,
      in: (_column: string, ids: readonly string[]) =>
        answer(database.documents.filter(({ id }) => ids.includes(id))),
      limit: () => answer(table === "documents" ? database.documents : []),
    };
    return query;
  };
  const backend = {
    rows: { from },
    store: { read: async () => [] },
    channels: {
      subscribe(stream: string, listener: ChannelListener) {
        if (stream === "w") channel = listener;
        return { track: () => undefined, close: () => undefined };
      },
    },
  };
  const tab = { tab: { backend }, open: async () => ({ backend }), current: () => ({ backend }) };
  return { useBackend: () => backend, useTab: () => tab };
});

const renders: Record<string, number> = {};
const shown: Partial<WorkspaceView> = {};
const count = (reader: string) => {
  renders[reader] = (renders[reader] ?? 0) + 1;
};
/** Renders one part of the workspace and counts the renders. */
function Reader({ part }: { part: keyof WorkspaceView }) {
  Object.assign(shown, { [part]: useWorkspace(part)[part] });
  count(part);
  return null;
}
function Row({ id }: { id: string }) {
  useDocumentRow(id);
  count(`row of ${id}`);
  return null;
}
function InDocument({ id }: { id: string }) {
  useWorkspaceValue(({ inDocument }) => inDocument.get(id));
  count(`people in ${id}`);
  return null;
}
const parts = [
  "documents",
  "trashed",
  "changes",
  "documentCommands",
  "members",
  "people",
  "invitations",
  "workspaces",
  "history",
  "heard",
  "online",
  "me",
  "may",
  "mayDocument",
  "keepsAnOwner",
  "act",
] as const;
const readers = (
  <>
    {parts.map((part) => (
      <Reader key={part} part={part} />
    ))}
    {snapshot.documents.map(({ id }) => (
      <Row key={id} id={id} />
    ))}
    <InDocument id="atlas" />
    <InDocument id="botany" />
  </>
);

/** Returns the number of renders of each reader during an action. */
async function rendering(happens: () => unknown): Promise<Record<string, number>> {
  for (const reader of Object.keys(renders)) delete renders[reader];
  await act(async () => happens());
  return { ...renders };
}

let root: Awaited<ReturnType<typeof silentRoot>>;
beforeEach(async () => {
  Object.assign(database, { documents: snapshot.documents, failures: 0 });
  root = await silentRoot();
});
afterEach(() => root.end());
// The test files of a worker share modules, and the next file needs the real one.
afterAll(() => {
  vi.doUnmock("@/components/session/backend-provider");
  vi.resetModules();
});

/** Opens the page. The returned function passes a new answer of the server to the page. */
async function open(): Promise<(again: WorkspaceSnapshot) => Promise<void>> {
  const { view, ready } = firstView(snapshot);
  const store = partsStore<WorkspaceView>({ ...view, clock: snapshot.clock });
  const show = (live: typeof view) => {
    store.publish(live);
    ready(live);
  };
  const render = (initial: WorkspaceSnapshot) =>
    root.render(
      <WorkspaceContext value={store}>
        {readers}
        <LiveWorkspace initial={initial} here={null} onView={show} />
      </WorkspaceContext>,
    );
  await render(snapshot);
  return render;
}
const notice = (stream: string) => channel.notice?.({ stream, version: 2, ids: [] });
const isIn = (userId: string, documentId: string | null) => ({
  key: `${userId}:1`,
  payload: { userId, documentId, state: "active", since: 1 },
});

it("[WS-8] a notice that changes no row renders only the notice count", async () => {
  await open();
  expect(await rendering(() => notice("atlas"))).toEqual({ heard: 1 });
});

it("[WS-8] an edited document renders its own row, and no other row", async () => {
  await open();
  database.documents = [documentRow("atlas", 2), documentRow("botany")];
  expect(await rendering(() => notice("atlas"))).toEqual({
    heard: 1,
    documents: 1,
    "row of atlas": 1,
  });
  expect(shown.documents?.map(({ id, version }) => [id, version])).toEqual([
    ["atlas", 2],
    ["botany", 1],
  ]);
});

it("[WS-8] a document in the trash renders both lists", async () => {
  await open();
  database.documents = [{ ...documentRow("atlas", 2), phase: "trashed" }];
  expect(await rendering(() => notice("atlas"))).toEqual({
    heard: 1,
    documents: 1,
    trashed: 1,
    "row of atlas": 1,
  });
  expect(shown.trashed?.map(({ id }) => id)).toEqual(["atlas"]);
});

it("[WS-8] a person coming online renders the online list and their document’s people", async () => {
  await open();
  await rendering(() => channel.presence?.([isIn("ana", null)]));
  const entries = [isIn("ana", null), isIn("ben", "atlas")];
  expect(await rendering(() => channel.presence?.(entries))).toEqual({
    online: 1,
    "people in atlas": 1,
  });
  expect(shown.online?.map(({ userId }) => userId)).toEqual(["ana", "ben"]);
  // The channel repeats the whole state on every change.
  expect(await rendering(() => channel.presence?.(structuredClone(entries)))).toEqual({});
});

it("[WS-8] an equal answer from the server renders nothing", async () => {
  const again = await open();
  expect(await rendering(() => again(structuredClone(snapshot)))).toEqual({});
});

it("[STREAM-11] retries reading the changes missed while the channel was away", async () => {
  await open();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  Object.assign(database, {
    documents: [documentRow("atlas", 2), documentRow("botany")],
    failures: 1,
  });
  expect(await rendering(() => channel.state?.("joined"))).toEqual({});
  await rendering(() => vi.advanceTimersByTimeAsync(2_000));
  expect(shown.documents?.map(({ version }) => version)).toEqual([2, 1]);
});

it("[WS-8] an advancing clock renders only readers of the clock", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  await root.render(
    <WorkspaceShell initial={snapshot}>
      <Reader part="documents" />
      <Reader part="clock" />
    </WorkspaceShell>,
  );
  expect(await rendering(() => vi.advanceTimersByTime(1))).toEqual({ clock: 1 });
  expect(shown.clock?.now).not.toBe(snapshot.clock.now);
  vi.useRealTimers();
});
