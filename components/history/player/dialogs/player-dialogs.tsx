"use client";

import type { Store } from "@/events/log/store";
import { onDemand } from "@/components/loading/on-demand";
import type { Person } from "@/events/read-models/person";
import type { ChapterKind } from "@/components/history/playback/chapters";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useRevisionIndex } from "@/components/history/playback/replay-context";
import { ChaptersDialog } from "./chapters-dialog";
import { GoToDialog } from "./go-to-dialog";
import type { HeldRevision } from "./held-revision";

const VersionsDialog = onDemand(() =>
  import("@/components/history/versions/versions-dialog").then((module) => module.VersionsDialog),
);
const RedactDialog = onDemand(() =>
  import("@/components/history/redaction/redact-dialog").then((module) => module.RedactDialog),
);

/**
 * A dialog of the player. A dialog about a revision keeps the revision on which it was opened.
 * `next` is the first later revision that can be named, or null if the kept revision can be named.
 */
export type PlayerDialog =
  | { kind: "go-to" | "chapters" }
  | { kind: "versions"; at: HeldRevision; next: HeldRevision | null }
  | { kind: "redact"; at: HeldRevision };

type Props = {
  dialog: PlayerDialog;
  dialogs: {
    /** Shows a revision that can be named behind the dialog. */
    nameFrom: (index: number) => void;
    close: () => void;
  };
  documentId: string;
  store: Pick<Store, "read">;
  view: PlayerView;
  people: ReadonlyMap<string, Person>;
  mayName: boolean;
  onDivide: (by: ChapterKind) => void;
  onNamed: (at: number, name: string) => void;
};

/** Renders the dialog that is open over the player. */
export function PlayerDialogs({
  dialog,
  dialogs: { nameFrom, close },
  documentId,
  store,
  view: { timeline, authors, chapters, run },
  people,
  mayName,
  onDivide,
  onNamed,
}: Props) {
  const index = useRevisionIndex();
  const go = (to: number) => run({ type: "seek", index: to });
  switch (dialog.kind) {
    case "go-to":
      return <GoToDialog timeline={timeline} index={index} onGo={go} onClose={close} />;
    case "chapters":
      return (
        <ChaptersDialog
          timeline={timeline}
          authors={authors}
          index={index}
          chapters={chapters}
          onBy={onDivide}
          onGo={go}
          onClose={close}
        />
      );
    case "versions": {
      const { at, next } = dialog;
      const naming = next
        ? { shown: at.edit, next: `${next.edit}, ${next.when}`, go: () => nameFrom(next.index) }
        : { at: at.version, when: `${at.when} (${at.edit})` };
      return (
        <VersionsDialog
          documentId={documentId}
          people={people}
          naming={mayName ? naming : null}
          onNamed={onNamed}
          onClose={close}
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
          onClose={close}
        />
      );
  }
}
