"use client";

import { createContext, use } from "react";
import type { Subject } from "@/events/core/envelope";
import type { LiveStream } from "@/events/log/live-stream";
import type { DocumentRow, InvitationRow } from "@/events/read-models/projections";
import type { RestrictedHistory } from "@/machines/history-visibility";
import type { Role } from "@/machines/member";
import type { Documents } from "./use-documents";
import type { OfferedType } from "./workspace-snapshot";
import type { Online } from "@/components/presence/online";
import type { Person } from "@/events/read-models/person";
import type { Clock } from "@/components/ui/use-clock";
import type { Access } from "./use-stream";

export type MemberView = Person & { email: string | null; role: Role; joinedAt: string };
export type InvitationView = Omit<InvitationRow, "createdAt" | "expiresAt"> & {
  expiresAt: number | null;
};

export type WorkspaceView = {
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
  /** Active members, longest-standing first. */
  members: readonly MemberView[];
  /** Everybody who ever was a member, for names beside what they did. */
  people: ReadonlyMap<string, Person>;
  invitations: readonly InvitationView[];
  documents: Documents;
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

export const WorkspaceContext = createContext<WorkspaceView | null>(null);

/** The live workspace around the component. */
export function useWorkspace(): WorkspaceView {
  const view = use(WorkspaceContext);
  if (!view) throw new Error("useWorkspace is for the inside of WorkspaceRoom");
  return view;
}
