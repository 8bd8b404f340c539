import type { CommentRow, ThreadRow } from "@/events/read-models/thread-rows";
import { subjectKey } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import type { Comment } from "../comment";
import { document } from "../document";
import type { Thread } from "../thread";

type Read = {
  documentId: string;
  phase: string;
  version: number;
  threads: readonly ThreadRow[];
  comments: readonly CommentRow[];
};

/**
 * Builds the fold that the read models of a document's comments represent. Folding newer events on
 * top again does not change the result.
 */
export function commentsFold({ documentId, phase, version, threads, comments }: Read): StreamFold {
  const threadSubjects = threads.map(({ id, phase: was, ...state }) => [
    subjectKey({ kind: "thread", id }),
    { phase: was, state: state satisfies Thread },
  ]);
  const commentEntries = comments.map(({ id, phase: was, ...state }) => [
    subjectKey({ kind: "comment", id }),
    { phase: was, state: state satisfies Comment },
  ]);
  const host = [subjectKey({ kind: "document", id: documentId }), { ...document.start(), phase }];
  return { version, subjects: Object.fromEntries([host, ...threadSubjects, ...commentEntries]) };
}
