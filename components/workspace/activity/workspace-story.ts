import type { EventType } from "@/events/core/event-types";
import { bodyOf } from "@/events/core/recorded-body";
import { iconChange } from "@/events/history/timeline/document-icon";
import { treeAfter } from "@/machines/document-tree";
import { isLiving, type DocumentTree } from "@/machines/tree-path";
import { insideOf, rowsOf, type TreeRow } from "@/machines/tree-rows";
import type { ActivityPage, Happening } from "@/events/read-models/activity";

/** A document as the workspace had it at a moment; `happenings` is how much had happened to it. */
export type StoryDocument = {
  id: string;
  title: string;
  icon: string | null;
  trashed: boolean;
  happenings: number;
};

/** A workspace at one moment of its history. */
export type StoryState = {
  name: string;
  documents: StoryDocument[];
  people: string[];
  /** Where the documents stood. */
  tree: DocumentTree;
};

function documentAfter(before: StoryDocument, happening: Happening): StoryDocument {
  const { type, count } = happening;
  return {
    ...before,
    title:
      (bodyOf(happening, "document.created") ?? bodyOf(happening, "document.renamed"))?.title ??
      before.title,
    icon: (iconChange(happening) ?? before).icon,
    trashed: type === "document.trashed" || (before.trashed && type !== "document.restored"),
    happenings: before.happenings + count,
  };
}

function peopleAfter(people: readonly string[], { type, actorId, subjectId }: Happening): string[] {
  if (type === "workspace.created") return [...new Set([...people, actorId])];
  if (type === "member.joined") return [...new Set([...people, subjectId])];
  return type === "member.removed" || type === "member.left"
    ? people.filter((id) => id !== subjectId)
    : [...people];
}

/** The workspace after one more thing has happened in it. */
export function storyAfter(state: StoryState, happening: Happening): StoryState {
  const people = peopleAfter(state.people, happening);
  const name =
    (bodyOf(happening, "workspace.created") ?? bodyOf(happening, "workspace.renamed"))?.name ??
    state.name;
  if (happening.stream.kind !== "document") return { ...state, name, people };
  const { id } = happening.stream;
  const known = state.documents.some((each) => each.id === id);
  const documents = known
    ? state.documents
    : [...state.documents, { id, title: "", icon: null, trashed: false, happenings: 0 }];
  return {
    name,
    people,
    tree: treeAfter(state.tree, { ...happening, id }),
    documents: documents.map((each) => (each.id === id ? documentAfter(each, happening) : each)),
  };
}

/** The workspace at every moment of its history, from its beginning; `happenings` stand in the order of time. */
export function storyOf(happenings: readonly Happening[]): StoryState[] {
  let state: StoryState = { name: "", documents: [], people: [], tree: new Map() };
  return happenings.map((happening) => (state = storyAfter(state, happening)));
}

/** The documents from the top down as they stood; what lay in the trash, also inside another one, says so. */
export function stageOf({ documents, tree }: StoryState): TreeRow<StoryDocument>[] {
  const placed = documents.map((document) => {
    const { parent = null, rank = "" } = tree.get(document.id) ?? {};
    const trashed = document.trashed || (tree.has(document.id) && !isLiving(tree, document.id));
    return { ...document, trashed, parent, rank };
  });
  return rowsOf(insideOf(placed), () => true);
}

/** The types that `storyAfter` needs to tell which documents and people there were. */
export const storyTypes: readonly EventType[] = [
  "workspace.created",
  "workspace.renamed",
  "document.created",
  "document.renamed",
  "document.icon_set",
  "document.moved",
  "document.trashed",
  "document.restored",
  "member.joined",
  "member.removed",
  "member.left",
];

/**
 * What happened, oldest first. `detailedFrom` is where edits and comments begin, null where they all are;
 * `complete` is false where even the documents and people before the first of it are not known.
 */
export type Story = { happenings: Happening[]; detailedFrom: string | null; complete: boolean };

/**
 * Reads a story page by page: everything of the newest pages and, of what came before, only the
 * types that make documents and people. A workspace has a hundred events of writing for each of
 * those, and without the first of them nobody is in it.
 */
export async function readStory(
  read: (
    before: number | null,
    types: readonly string[] | null,
  ) => Promise<Pick<ActivityPage, "happenings" | "older">>,
  most: { pages: number; olderPages: number },
): Promise<Story> {
  const happenings: Happening[] = [];
  let before: number | null = null;
  const readPages = async (pages: number, types: readonly string[] | null): Promise<boolean> => {
    for (let page = 0; page < pages; page += 1) {
      const { happenings: found, older } = await read(before, types);
      for (const each of found) happenings.push(each);
      before = older;
      if (older === null) return true;
    }
    return false;
  };
  const whole = await readPages(most.pages, null);
  const detailedFrom = whole ? null : (happenings.at(-1)?.began ?? null);
  const complete = whole || (await readPages(most.olderPages, storyTypes));
  return { happenings: happenings.reverse(), detailedFrom, complete };
}
