import * as z from "zod/mini";
import { longestComment } from "@/events/core/text/text-lengths";
import type { BodiesOf } from "@/events/core/event-types";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { writtenId } from "@/events/core/ids/written-id";

const text = z.string().check(z.minLength(1), z.maxLength(longestComment), z.regex(emptyOrVisible));

const schemas = {
  "comment.added": z.strictObject({ thread: writtenId, text }),
  "comment.edited": z.strictObject({ text }),
  "comment.deleted": z.strictObject({}),
};

declare module "@/events/core/event-types" {
  interface DocumentBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "comment",
  initial: "absent",
  states: {
    absent: { on: { "comment.added": { target: "shown", meta: { right: "commenter" } } } },
    shown: {
      on: {
        "comment.edited": { target: "shown", meta: { right: "author" } },
        "comment.deleted": { target: "deleted", meta: { right: "author" } },
      },
    },
    deleted: { type: "final" },
  },
});

export type Comment = {
  thread: string;
  /** Empty once the comment is deleted. The text then exists only in the history. */
  text: string;
  authorId: string;
  addedAt: string;
  editedAt: string | null;
};

/** A comment in a thread. Only its author can edit or delete it. */
export const comment = defineAggregate({
  kind: "comment",
  streamKind: "document",
  schemas,
  hosts: [],
  host: { kind: "thread", event: "comment.added", key: "thread" },
  updates: [],
  redactable: { "comment.added": ["text"], "comment.edited": ["text"] },
  machine,
  initial: (): Comment => ({ thread: "", text: "", authorId: "", addedAt: "", editedAt: null }),
  reducers: {
    "comment.added": (draft, body, metadata) => {
      draft.thread = body.thread;
      draft.text = body.text;
      draft.authorId = metadata.actorId;
      draft.addedAt = metadata.recordedAt;
    },
    "comment.edited": (draft, body, metadata) => {
      draft.text = body.text;
      draft.editedAt = metadata.recordedAt;
    },
    "comment.deleted": (draft) => {
      draft.text = "";
    },
  },
});
