"use client";

import { type Store } from "@/events/log/store";
import { type Timeline } from "@/events/history/timeline/timeline";
import { onDemand } from "@/components/loading/on-demand";
import { type Person } from "@/events/read-models/person";
import { type ChapterKind, type Chapters } from "@/components/history/playback/chapters";
import { ChaptersDialog } from "./chapters-dialog";
import { GoToDialog } from "./go-to-dialog";
import { type HeldRevision } from "./held-revision";

const VersionsDialog = onDemand(() =>
  import("@/components/history/versions/versions-dialog").then((module) => module.VersionsDialog),
);
const RedactDialog = onDemand(() =>
  import("@/components/history/redaction/redact-dialog").then((module) => module.RedactDialog),
);

/**
 * A dialog of the player. A dialog about a revision holds the one that it was opened on; `next` is
 * the first one behind it that can be named, null where that revision itself can be.
 */
export type PlayerDialog =
  | { kind: "go-to" | "chapters" }
  | { kind: "versions"; at: HeldRevision; next: HeldRevision | null }
  | { kind: "redact"; at: HeldRevision };

type Props = {
  dialog: PlayerDialog;
  documentId: string;
  store: Pick<Store, "read">;
  timeline: Timeline;
  people: ReadonlyMap<string, Person>;
  authors: readonly Person[];
  /** The revision that the player shows now. */
  index: number;
  chapters: Chapters;
  mayName: boolean;
  onDivide: (by: ChapterKind) => void;
  onGo: (index: number) => void;
  /** Shows a revision that can be named behind the dialog. */
  onNameFrom: (index: number) => void;
  onNamed: (at: number, name: string) => void;
  onClose: () => void;
};

/** The dialog that is open over the player. */
export function PlayerDialogs({
  dialog,
  documentId,
  store,
  timeline,
  people,
  authors,
  index,
  chapters,
  mayName,
  onDivide,
  onGo,
  onNameFrom,
  onNamed,
  onClose,
}: Props) {
  switch (dialog.kind) {
    case "go-to":
      return <GoToDialog timeline={timeline} index={index} onGo={onGo} onClose={onClose} />;
    case "chapters":
      return (
        <ChaptersDialog
          timeline={timeline}
          authors={authors}
          index={index}
          chapters={chapters}
          onBy={onDivide}
          onGo={onGo}
          onClose={onClose}
        />
      );
    case "versions": {
      const { at, next } = dialog;
      const naming = next
        ? { shown: at.edit, next: `${next.edit}, ${next.when}`, go: () => onNameFrom(next.index) }
        : { at: at.version, when: `${at.when} (${at.edit})` };
      return (
        <VersionsDialog
          documentId={documentId}
          people={people}
          naming={mayName ? naming : null}
          onNamed={onNamed}
          onClose={onClose}
        />
      );
    }
    case "redact":
      return (
        <RedactDialog
          documentId={documentId}
          store={store}
          version={dialog.at.version}
          author={dialog.at.author}
          when={dialog.at.when}
          onClose={onClose}
        />
      );
  }
}
