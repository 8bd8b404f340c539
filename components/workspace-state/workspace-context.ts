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
import { readerOf, type PartsStore } from "./parts-store";

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
  /** The reader's role; null when they are no member any more. */
  role: Role | null;
  access: Access;
  /** How much of the past of its documents each kind of reader sees. */
  history: RestrictedHistory;
  workspaces: readonly { id: string; name: string }[];
  /** How much of the lists is not here yet; null where they are whole. */
  rest: WorkspaceRest | null;
  /** Active members, longest-standing first. */
  members: readonly MemberView[];
  /** Everybody who ever was a member, for names beside what they did. */
  people: ReadonlyMap<string, Person>;
  invitations: readonly InvitationView[];
  /** Live documents, last changed first. */
  documents: readonly WorkspaceDocument[];
  /** What is in the trash, by itself or with something that it stands in. */
  trashed: readonly WorkspaceDocument[];
  /** The ids of documents that were deleted permanently. */
  purged: readonly string[];
  /** What happened last in each document, by id. */
  changes: Readonly<Record<string, LastChange>>;
  /** Lines that say what changed in each document: those that are unread, and the newest. */
  lines: Readonly<Record<string, readonly ChangeLine[]>>;
  documentCommands: DocumentCommands;
  /** Grows whenever anything in the workspace was heard to have happened. */
  heard: number;
  online: readonly Online[];
  inDocument: ReadonlyMap<string, readonly Online[]>;
  act: LiveStream["act"];
  /** Whether the law would take this event about this subject from the reader now. */
  may: (type: OfferedType, subject?: Subject) => boolean;
  /** The same for an event about a document, or (null) one that begins a document. */
  mayDocument: (type: OfferedType, row: DocumentRow | null) => boolean;
  keepsAnOwner: (userId: string, nextRole: Role | null) => boolean;
};

export const WorkspaceContext = createContext<PartsStore<WorkspaceView> | null>(null);

function useStore(): PartsStore<WorkspaceView> {
  const store = use(WorkspaceContext);
  if (!store) throw new Error("useWorkspace is for the inside of WorkspaceShell");
  return store;
}

/**
 * The named parts of the live workspace around the component, which renders again when one of them has changed and
 * not otherwise. The names are the same on every render.
 */
export function useWorkspace<Name extends keyof WorkspaceView>(
  ...names: Name[]
): Pick<WorkspaceView, Name> {
  const store = useStore();
  const [read] = useState(() => readerOf(store, names));
  return useSyncExternalStore(store.subscribe, read, store.initialParts);
}

/** What is selected of the live workspace: a value of it as it is, or a primitive one, so that it can be compared. */
export function useWorkspaceValue<Value>(select: (view: WorkspaceView) => Value): Value {
  const store = useStore();
  return useSyncExternalStore(
    store.subscribe,
    () => select(store.parts()),
    () => select(store.initialParts()),
  );
}

/** The row of a document of the workspace, live or in the trash; undefined for one that is not known. */
export function useDocumentRow(id: string): WorkspaceDocument | undefined {
  const isIt = (row: DocumentRow) => row.id === id;
  return useWorkspaceValue(({ documents, trashed }) => documents.find(isIt) ?? trashed.find(isIt));
}
