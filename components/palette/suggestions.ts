import type { Online } from "@/components/presence/online";
import type { MemberView } from "@/components/workspace-state/workspace-context";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { commandIds, commands, isAllowed } from "@/components/commands/commands";
import type { Command, CommandId, Law } from "@/components/commands/commands";
import { fuzzy } from "./fuzzy";
import type { Found } from "./fuzzy";

/** The largest number of rows in a group. */
const limit = 7;

type Suggestions = {
  recent: readonly Found<DocumentRow>[];
  documents: readonly Found<DocumentRow>[];
  people: readonly Found<MemberView>[];
  commands: readonly Found<CommandId>[];
  /** The query for a search in all documents, or null if nothing is typed. */
  search: string | null;
};

export type Sources = {
  documents: readonly DocumentRow[];
  /** The ids of recently opened documents, the latest first. */
  recent: readonly string[];
  /** The open document, which is not suggested. */
  here: string | null;
  members: readonly MemberView[];
  me: string;
  law: Law;
  /** Whether this page offers a command now. */
  offers: (id: CommandId) => boolean;
};

const titleOf = ({ title }: DocumentRow) => title || "Untitled";
const nameOf = ({ name }: MemberView) => name;
const commandName = (id: CommandId) => commands[id].name;
const commandWords = (id: CommandId) => {
  const { name, words = "" }: Command = commands[id];
  return `${name} ${words}`;
};

/** Returns the commands that this page offers and the law allows, in the palette's order. */
export function offeredCommands({ offers, law }: Pick<Sources, "offers" | "law">): CommandId[] {
  return commandIds.filter((id) => id !== "palette" && offers(id) && isAllowed(id, law));
}

/** Returns the suggestions for a query. */
export function suggestionsFor(typed: string, sources: Sources): Suggestions {
  const { documents, recent, here, members, me } = sources;
  const byId = new Map(documents.map((row) => [row.id, row]));
  const opened = recent.flatMap((id) => byId.get(id) ?? []).filter(({ id }) => id !== here);
  const query = typed.trim();
  const recentFound = fuzzy(query, opened, titleOf, { limit });
  const isRecent = new Set(recentFound.map(({ item }) => item.id));
  const others = documents.filter(({ id }) => !isRecent.has(id));
  return {
    recent: recentFound,
    documents: query === "" ? [] : fuzzy(query, others, titleOf, { limit }),
    people:
      query === ""
        ? []
        : fuzzy(
            query,
            members.filter(({ userId }) => userId !== me),
            nameOf,
            { limit, wordsOf: ({ email }) => email ?? "" },
          ),
    commands: fuzzy(query, offeredCommands(sources), commandName, {
      limit,
      wordsOf: commandWords,
    }),
    search: query === "" ? null : query,
  };
}

/** Returns the path of a person's open document, or of their row in the list of members. */
export function placeOf(
  userId: string,
  workspaceId: string,
  online: readonly Pick<Online, "userId" | "document">[],
): { path: string; document: string | null } {
  const document = online.find((each) => each.userId === userId)?.document ?? null;
  return document === null
    ? { path: `/w/${workspaceId}/members#member-${userId}`, document }
    : { path: `/d/${document}`, document };
}
