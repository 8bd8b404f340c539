import { renderToStaticMarkup } from "react-dom/server";
import { afterAll, expect, it, vi } from "vitest";
import { at, documentRow } from "@/components/workspace-state/document-row.fixture";
import { firstView } from "@/components/workspace-state/initial-view";
import { partsStore } from "@/components/workspace-state/parts-store";
import { WorkspaceContext } from "@/components/workspace-state/workspace-context";
import { Tree } from "./tree";
import type { TreeProps } from "./tree";

vi.mock("./place-menu", () => ({ PlaceMenu: () => null }));
vi.mock("./account-menu", () => ({ AccountMenu: () => null }));
// The test files of a worker share modules, and the next file needs the real ones.
afterAll(() => {
  vi.doUnmock("./place-menu");
  vi.doUnmock("./account-menu");
  vi.resetModules();
});

const clock = { now: Date.parse(at), zone: "UTC" };
const documents = Array.from({ length: 1001 }, (_, index) => documentRow(`${index}`));

function shownIn(props: Partial<TreeProps>, rows = documents) {
  const { view } = firstView({
    me: { userId: "ana", name: "Ana", color: 1 },
    workspace: {
      id: "w",
      name: "Field notes",
      phase: "active",
      version: 1,
      createdBy: "ana",
      createdAt: at,
      history: { viewer: "everything", commenter: "everything" },
    },
    workspaces: [],
    members: [],
    invitations: [],
    documents: rows,
    rest: null,
    changes: {},
    lines: {},
    personal: { readAt: "", favourites: [], recents: [], unread: {} },
    clock,
    allowed: [],
  });
  const html = renderToStaticMarkup(
    <WorkspaceContext value={partsStore({ ...view, clock })}>
      <Tree {...props} />
    </WorkspaceContext>,
  );
  const ids = [...html.matchAll(/href="\/d\/(\d+)"/g)].map(([, id]) => Number(id));
  return { ids, offersMore: html.includes('aria-label="Show more documents"') };
}
const first = documents.slice(0, 100).map((_, index) => index);

it("[DOCS-17] shows the first rows of a long tree, and offers the rest", () => {
  expect(shownIn({ page: "documents" })).toEqual({ ids: first, offersMore: true });
  const few = documents.slice(0, 100);
  expect(shownIn({ page: "documents" }, few)).toEqual({ ids: first, offersMore: false });
});

it("[DOCS-17] shows the open document once, wherever it is", () => {
  expect(shownIn({ document: "900" }).ids).toEqual([...first, 900]);
  expect(shownIn({ document: "7" }).ids).toEqual(first);
});
