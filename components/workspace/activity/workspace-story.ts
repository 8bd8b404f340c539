import type { EventType } from "@/events/core/event-types";
import { bodyOf } from "@/events/core/recorded-body";
import { iconChange } from "@/events/history/timeline/document-icon";
import { treeAfter } from "@/machines/document-tree";
import { isLiving } from "@/machines/tree-path";
import type { DocumentTree } from "@/machines/tree-path";
import { insideOf, rowsOf } from "@/machines/tree-rows";
import type { TreeRow } from "@/machines/tree-rows";
import type { ActivityPage, Happening } from "@/events/read-models/activity";

/** A document of the workspace at a moment. `happenings` counts its events so far. */
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

/** Returns the state of the workspace after one more event. */
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

/** Returns the state after each event of a workspace's history, given in order of time. */
export function storyOf(happenings: readonly Happening[]): StoryState[] {
  let state: StoryState = { name: "", documents: [], people: [], tree: new Map() };
  return happenings.map((happening) => (state = storyAfter(state, happening)));
}

/** Returns the documents in tree order, and marks those that are in the trash. */
export function stageOf({ documents, tree }: StoryState): TreeRow<StoryDocument>[] {
  const placed = documents.map((document) => {
    const { parent = null, rank = "" } = tree.get(document.id) ?? {};
    const trashed = document.trashed || (tree.has(document.id) && !isLiving(tree, document.id));
    return { ...document, trashed, parent, rank };
  });
  return rowsOf(insideOf(placed), () => true);
}

/** The event types that `storyAfter` needs for documents and people. */
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
 * The events, oldest first. `detailedFrom` is the time from which edits and comments are included,
 * or null if all are. `complete` is false if even earlier events of documents and people are
 * missing.
 */
export type Story = { happenings: Happening[]; detailedFrom: string | null; complete: boolean };

/**
 * Reads a story page by page: all events of the newest pages, but of earlier pages only the types
 * that determine documents and people. Edits outnumber these events by about a hundred to one, and
 * without the earliest of them the story has no people.
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
