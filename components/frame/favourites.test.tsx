import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { at, documentRow } from "@/components/workspace-state/document-row.fixture";
import { firstView } from "@/components/workspace-state/initial-view";
import { partsStore } from "@/components/workspace-state/parts-store";
import { WorkspaceContext } from "@/components/workspace-state/workspace-context";
import type { Personal } from "@/events/read-models/personal";
import { Favourites } from "./favourites";

const clock = { now: Date.parse(at), zone: "UTC" };
const documents = ["Atlas", "Botany", "Clocks"].map((title) => ({
  ...documentRow(title, 4),
  updatedBy: "ben",
}));

function shown(personal: Partial<Personal>): string {
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
    documents,
    rest: null,
    changes: {},
    lines: {},
    personal: { readAt: "", favourites: [], recents: [], unread: {}, ...personal },
    clock,
    allowed: [],
  });
  return renderToStaticMarkup(
    <WorkspaceContext value={partsStore({ ...view, clock })}>
      <Favourites shown="Botany" />
    </WorkspaceContext>,
  );
}

it("[HOME-8] shows existing favourites in the reader’s order, with a dot for unread ones", () => {
  const html = shown({ favourites: ["Clocks", "gone", "Atlas"], unread: { Atlas: 3 } });
  expect(html.replaceAll(/<svg.*?<\/svg>/g, "").replaceAll(/<[^>]+>/g, "|")).toMatch(
    /^\|Favourites\|+Clocks\|+Atlas\|+, unread\|+$/,
  );
});

it("[HOME-8] shows nothing without favourites", () => {
  expect(shown({ favourites: ["gone"] })).toBe("");
});
