import type { Anchor } from "@/events/analysis/anchors/anchor";
import type { Random } from "@/events/core/clock";
import type { Act, Outcome } from "@/events/log/live-stream";
import type { CommentThread } from "../comment-thread";

/** The actions on threads. Each settles with the database's ruling (acknowledgement). */
export type DocumentComments = {
  open: (anchor: Anchor, text: string) => { thread: string; done: Promise<Outcome> };
  /** Adds a reply, which reopens a resolved thread. */
  answer: (thread: CommentThread, text: string) => Promise<Outcome>;
  edit: (comment: string, text: string) => Promise<Outcome>;
  remove: (comment: string) => Promise<Outcome>;
  resolve: (thread: string) => Promise<Outcome>;
  reopen: (thread: string) => Promise<Outcome>;
};

type Input = {
  random: Pick<Random, "uuid">;
  /** Proposes events, which are recorded together or not at all. */
  propose: (acts: readonly Act[]) => Promise<Outcome>;
  /** Proposes the two events that open a thread on the text of `anchor`. */
  open?: (
    acts: readonly [opened: Act, added: Act],
    anchor: Anchor,
    text: string,
  ) => Promise<Outcome>;
};

/** Creates the actions on threads from a function that proposes events. */
export function documentComments({ random, propose, open = propose }: Input): DocumentComments {
  const added = (thread: string, text: string): Act => ({
    type: "comment.added",
    body: { thread, text },
    subject: { kind: "comment", id: random.uuid() },
  });
  const reopened = (id: string): Act => ({
    type: "thread.reopened",
    body: {},
    subject: { kind: "thread", id },
  });
  return {
    open(anchor, text) {
      const thread = random.uuid();
      const opened: Act = {
        type: "thread.opened",
        body: { ...anchor },
        subject: { kind: "thread", id: thread },
      };
      return { thread, done: open([opened, added(thread, text)], anchor, text) };
    },
    answer: ({ id, resolved }, text) =>
      propose([...(resolved ? [reopened(id)] : []), added(id, text)]),
    edit: (id, text) =>
      propose([{ type: "comment.edited", body: { text }, subject: { kind: "comment", id } }]),
    remove: (id) =>
      propose([{ type: "comment.deleted", body: {}, subject: { kind: "comment", id } }]),
    resolve: (id) =>
      propose([{ type: "thread.resolved", body: {}, subject: { kind: "thread", id } }]),
    reopen: (id) => propose([reopened(id)]),
  };
}
