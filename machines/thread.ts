import * as z from "zod/mini";
import type { BodiesOf } from "@/events/core/event-types";
import { longestQuote } from "@/events/core/text/text-lengths";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";

const place = z.string().check(z.minLength(1), z.maxLength(200));
const nothing = z.strictObject({});

const schemas = {
  "thread.opened": z.strictObject({
    /** Yjs relative positions in base64, before the first and after the last character. */
    start: place,
    end: place,
    quote: z.string().check(z.minLength(1), z.maxLength(longestQuote)),
  }),
  "thread.resolved": nothing,
  "thread.reopened": nothing,
};

const toOpen = { target: "open", meta: { right: "commenter" } } as const;

declare module "@/events/core/event-types" {
  interface DocumentBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "thread",
  initial: "absent",
  states: {
    absent: { on: { "thread.opened": toOpen } },
    open: { on: { "thread.resolved": { target: "resolved", meta: { right: "commenter" } } } },
    resolved: { on: { "thread.reopened": toOpen } },
  },
});

export type Thread = {
  start: string;
  end: string;
  quote: string;
  openedBy: string;
  openedAt: string;
  /** The document's version when the thread was opened. */
  openedVersion: number;
  /** The last person to resolve the thread, and when. Null while the thread is open. */
  resolvedBy: string | null;
  resolvedAt: string | null;
};

/**
 * Comments on a passage of a document, kept in the document's stream so that they replay with it.
 */
export const thread = defineAggregate({
  kind: "thread",
  streamKind: "document",
  schemas,
  // A comment that was in transit when the thread was resolved is still recorded.
  hosts: ["open", "resolved"],
  updates: [],
  redactable: { "thread.opened": ["quote"] },
  machine,
  initial: (): Thread => ({
    start: "",
    end: "",
    quote: "",
    openedBy: "",
    openedAt: "",
    openedVersion: 0,
    resolvedBy: null,
    resolvedAt: null,
  }),
  reducers: {
    "thread.opened": (draft, body, metadata) => {
      draft.start = body.start;
      draft.end = body.end;
      draft.quote = body.quote;
      draft.openedBy = metadata.actorId;
      draft.openedAt = metadata.recordedAt;
      draft.openedVersion = metadata.version;
    },
    "thread.resolved": (draft, _body, metadata) => {
      draft.resolvedBy = metadata.actorId;
      draft.resolvedAt = metadata.recordedAt;
    },
    "thread.reopened": (draft) => {
      draft.resolvedBy = null;
      draft.resolvedAt = null;
    },
  },
});
