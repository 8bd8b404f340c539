import { passageAt } from "@/events/analysis/returning-passage";
import { revisionStamp } from "@/components/history/words/revision-choices";
import { excerpt } from "@/components/history/words/change-words";
import type { RestoreRequest } from "@/events/revisions/restore";

/** A restore request as a question, its effect on the text, and the button's label. */
type RestoreRequestWords = { title: string; will: string; action: string };

/** Describes a restore request. `nameOf` returns a person's name by user id. */
export function restoreRequestWords(
  restoreRequest: RestoreRequest,
  nameOf: (userId: string) => string,
): RestoreRequestWords {
  if (restoreRequest.kind === "revision") {
    return {
      title: "Restore this moment?",
      will: `The document will read as it did on ${revisionStamp(restoreRequest.timeline, restoreRequest.index)}.`,
      action: "Restore",
    };
  }
  if (restoreRequest.kind === "passage") {
    const { change, timeline, index } = restoreRequest;
    const words = excerpt(change.out) || excerpt(change.in);
    return {
      title: "Revert this change?",
      will: `“${words}”: only this passage will read as it did on ${revisionStamp(timeline, index)}.`,
      action: "Revert",
    };
  }
  if (restoreRequest.kind === "words") {
    const { timeline, index, range } = restoreRequest;
    const will =
      `“${excerpt(passageAt(timeline, index, range))}” comes ` +
      `back as it stood on ${revisionStamp(timeline, index)}, ` +
      "in place of what became of it. Everything else stays.";
    return { title: "Bring this passage back?", will, action: "Bring back" };
  }
  if (restoreRequest.kind === "author") {
    const name = nameOf(restoreRequest.author);
    const [from, to] = [restoreRequest.from, restoreRequest.to].map((index) =>
      revisionStamp(restoreRequest.timeline, index),
    );
    return {
      title: `Revert what ${name} changed?`,
      will:
        `What ${name} wrote between ${from} and ${to} goes, and what ` +
        `${name} took away then returns. What everybody else did stays.`,
      action: "Revert",
    };
  }
  return {
    title: "Revert this?",
    will: "What it changed will be as it was before.",
    action: "Revert",
  };
}
