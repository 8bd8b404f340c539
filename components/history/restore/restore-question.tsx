"use client";

import { onDemand } from "@/components/loading/on-demand";
import type { Person } from "@/events/read-models/person";
import { restoreRequestWords } from "./restore-request-words";
import type { Restore } from "./use-restore";

const RestoreDialog = onDemand(() =>
  import("./restore-dialog").then((module) => module.RestoreDialog),
);

type Props = {
  restore: Pick<Restore, "question" | "confirm" | "cancel">;
  people: ReadonlyMap<string, Person>;
  /** The first names of the people who are writing now. */
  writing: readonly string[];
};

/** Renders the dialog of a pending restore question. */
export function RestoreQuestion({ restore, people, writing }: Props) {
  const { question, confirm, cancel } = restore;
  if (!question) return null;
  return (
    <RestoreDialog
      {...restoreRequestWords(
        question.restoreRequest,
        (userId) => people.get(userId)?.name ?? "Somebody",
      )}
      preview={question.preview}
      overtaken={question.overtaken}
      people={people}
      writing={writing}
      onConfirm={confirm}
      onClose={cancel}
    />
  );
}
