import { expect, it } from "vitest";
import { at, documentRow } from "../document-row.fixture";
import { firstView } from "../initial-view";
import type { LiveView } from "../live-workspace";
import type { WorkspaceSnapshot } from "../workspace-snapshot";
import { titleHere } from "./known-titles";

const row = documentRow("atlas");

const snapshot = (workspace: string): WorkspaceSnapshot => ({
  me: { userId: "ana", name: "Ana", color: 1 },
  workspace: {
    id: workspace,
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
  clock: { now: Date.parse(at), zone: "UTC" },
  allowed: [],
});

/** Creates a live workspace that records the requested renames. */
function liveView(workspace: string): { view: LiveView; renamed: string[] } {
  const { view } = firstView(snapshot(workspace));
  const renamed: string[] = [];
  const rename = (_id: string, title: string) => Promise.resolve(renamed.push(title) > 0);
  return { view: { ...view, documentCommands: { ...view.documentCommands, rename } }, renamed };
}

it("[DOCS-22] a title given before its page was live is given on the next page", async () => {
  const left = firstView(snapshot("library"));
  const first = left.view.documentCommands.rename("atlas", "Atl", "");
  const second = left.view.documentCommands.rename("atlas", "Atlas", "Atl");
  expect(titleHere(row, "ana")).toBe("Atlas");
  const other = liveView("other");
  firstView(snapshot("other")).ready(other.view);
  const next = liveView("library");
  firstView(snapshot("library")).ready(next.view);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(next.renamed).toEqual(["Atl", "Atlas"]);
  expect(other.renamed).toEqual([]);
});

it("[DOCS-22] a title given on a live page is sent once, by that page", async () => {
  const { view, ready } = firstView(snapshot("library"));
  const live = liveView("library");
  ready(live.view);
  ready(live.view);
  expect(await view.documentCommands.rename("atlas", "Atlas", "")).toBe(true);
  expect(live.renamed).toEqual(["Atlas"]);
});
