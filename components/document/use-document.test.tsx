import { act } from "react";
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { at, documentRow } from "@/components/workspace-state/document-row.fixture";
import { partsStore } from "@/components/workspace-state/parts-store";
import { firstView } from "@/components/workspace-state/initial-view";
import { WorkspaceContext } from "@/components/workspace-state/workspace-context";
import type { DocumentSnapshot } from "./document-snapshot";
import { useDocument } from "./use-document";

const me = { userId: "ana", name: "Ana", color: 1 };
const row = documentRow("atlas");
const clock = { now: Date.parse(at), zone: "UTC" };
const { view } = firstView({
  me,
  workspace: {
    id: "w",
    name: "Library",
    phase: "active",
    version: 1,
    createdBy: "ana",
    createdAt: at,
    history: { viewer: "everything", commenter: "everything" },
  },
  workspaces: [],
  members: [],
  invitations: [],
  documents: [row],
  rest: null,
  changes: {},
  lines: {},
  personal: { readAt: "", favourites: [], recents: [], unread: {} },
  clock,
  allowed: [],
});

/** An open document without events that counts its listeners. */
class QuietDocument {
  subscribed = 0;
  unsubscribed = 0;
  readonly sync = {
    subscribe: () => {
      this.subscribed += 1;
      return { unsubscribe: () => void (this.unsubscribed += 1) };
    },
  };
}
/** The open document, and the handlers that the component passed to it. */
const opened = { live: new QuietDocument(), handlers: new Set<unknown>() };
vi.mock("./use-live-document", () => ({
  useLiveDocument({ onRows, onWritten }: { onRows: unknown; onWritten: unknown }) {
    opened.handlers.add(onRows).add(onWritten);
    return { live: opened.live, text: null, status: null, here: [], onTextReady: () => {} };
  },
}));

const snapshot: DocumentSnapshot = {
  row,
  html: "",
  whole: true,
  state: Promise.resolve(null),
  version: 1,
  owners: [],
  schema: 1,
  writers: [],
  stoppedAt: null,
  linked: {},
  fullness: 0,
};
function Page({ onRender }: { onRender: () => void }) {
  useDocument(snapshot);
  onRender();
  return null;
}

let root: Awaited<ReturnType<typeof silentRoot>>;
beforeEach(async () => {
  root = await silentRoot();
});
afterEach(() => root.end());
// The test files of a worker share modules, and the next file needs the real one.
afterAll(() => {
  vi.doUnmock("./use-live-document");
  vi.resetModules();
});

it("a document page subscribes once, however often it renders", async () => {
  const store = partsStore({ ...view, clock });
  const onRender = vi.fn();
  const page = () => (
    <WorkspaceContext value={store}>
      <Page onRender={onRender} />
    </WorkspaceContext>
  );
  const first = opened.live;
  await root.render(page());
  await root.render(page());
  await act(async () => store.publish({ documents: [{ ...row, version: 2 }] }));
  await act(async () => store.publish({ role: "viewer" }));
  // A lost right to edit takes effect in a later render, after a pause.
  expect(onRender).toHaveBeenCalledTimes(5);
  expect(first).toMatchObject({ subscribed: 1, unsubscribed: 0 });
  // A third handler would reopen the document.
  expect(opened.handlers.size).toBe(2);

  opened.live = new QuietDocument();
  await root.render(page());
  expect(first).toMatchObject({ subscribed: 1, unsubscribed: 1 });
  expect(opened.live).toMatchObject({ subscribed: 1, unsubscribed: 0 });
});
