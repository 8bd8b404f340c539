"use client";

import { createContext, use, useState, useSyncExternalStore } from "react";
import type { Subject } from "@/events/core/envelope";
import type { LiveStream } from "@/events/log/live-stream";
import type { ChangeLine } from "@/events/read-models/change-lines";
import type { DocumentRow } from "@/events/read-models/document-rows";
import type { InvitationRow } from "@/events/read-models/invitation-rows";
import type { LastChange } from "@/events/read-models/last-changes";
import type { WorkspaceRest } from "@/events/read-models/workspace-window";
import type { RestrictedHistory } from "@/machines/history-visibility";
import type { Role } from "@/machines/member";
import type { WorkspaceDocument } from "./placed-documents";
import type { DocumentCommands } from "./use-documents";
import type { OfferedType } from "./workspace-snapshot";
import type { Online } from "@/components/presence/online";
import type { Person } from "@/events/read-models/person";
import type { Clock } from "@/components/ui/time/use-clock";
import type { PersonalView } from "./use-personal";
import type { Access } from "./use-stream";
import { readerOf } from "./parts-store";
import type { PartsStore } from "./parts-store";

export type MemberView = Person & { email: string | null; role: Role; joinedAt: string };
export type InvitationView = Omit<InvitationRow, "createdAt" | "expiresAt"> & {
  expiresAt: number | null;
};

export type WorkspaceView = PersonalView & {
  id: string;
  name: string;
  createdAt: string;
  me: Person;
  clock: Clock;
  /** The reader's role, or null for a former member. */
  role: Role | null;
  access: Access;
  /** The history visibility of each role. */
  history: RestrictedHistory;
  workspaces: readonly { id: string; name: string }[];
  /** The sizes of the lists' missing parts, or null if the lists are complete. */
  rest: WorkspaceRest | null;
  /** The active members, longest-standing first. */
  members: readonly MemberView[];
  /** All present and former members, for the names of authors. */
  people: ReadonlyMap<string, Person>;
  invitations: readonly InvitationView[];
  /** The live documents, last changed first. */
  documents: readonly WorkspaceDocument[];
  /** The documents in the trash, trashed by themselves or with an ancestor. */
  trashed: readonly WorkspaceDocument[];
  /** The ids of documents that were deleted permanently. */
  purged: readonly string[];
  /** The last event of each document, by id. */
  changes: Readonly<Record<string, LastChange>>;
  /** The lines of changes in each document: the unread lines, and the newest line. */
  lines: Readonly<Record<string, readonly ChangeLine[]>>;
  documentCommands: DocumentCommands;
  /** A counter that grows with every notice about the workspace. */
  heard: number;
  online: readonly Online[];
  inDocument: ReadonlyMap<string, readonly Online[]>;
  act: LiveStream["act"];
  /** Whether the law lets the reader emit this event on this subject now. */
  may: (type: OfferedType, subject?: Subject) => boolean;
  /** Whether the law lets the reader emit this event on a document or (null) as a new document. */
  mayDocument: (type: OfferedType, row: DocumentRow | null) => boolean;
  keepsAnOwner: (userId: string, nextRole: Role | null) => boolean;
};

export const WorkspaceContext = createContext<PartsStore<WorkspaceView> | null>(null);

function useStore(): PartsStore<WorkspaceView> {
  const store = use(WorkspaceContext);
  if (!store) throw new Error("`useWorkspace` must be used inside WorkspaceShell");
  return store;
}

/**
 * Returns named parts of the surrounding live workspace. The component re-renders only if one of
 * these parts changes. The names must be stable.
 */
export function useWorkspace<Name extends keyof WorkspaceView>(
  ...names: Name[]
): Pick<WorkspaceView, Name> {
  const store = useStore();
  const [read] = useState(() => readerOf(store, names));
  return useSyncExternalStore(store.subscribe, read, store.initialParts);
}

/**
 * Returns a selected value of the live workspace. Values are compared by identity, so the result
 * must be a stable reference or a primitive.
 */
export function useWorkspaceValue<Value>(select: (view: WorkspaceView) => Value): Value {
  const store = useStore();
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.parts()),
    () => select(store.initialParts()),
  );
}

/** Returns the row of a document, live or in the trash, or undefined if it is unknown. */
export function useDocumentRow(id: string): WorkspaceDocument | undefined {
  const isIt = (row: DocumentRow) => row.id === id;
  return useWorkspaceValue(({ documents, trashed }) => documents.find(isIt) ?? trashed.find(isIt));
}
