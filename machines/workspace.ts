import * as z from "zod/mini";
import { longestWorkspaceName } from "@/events/core/text/text-lengths";
import type { BodiesOf } from "@/events/core/event-types";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { historyVisibilities } from "./history-visibility";
import type { RestrictedHistory } from "./history-visibility";

const name = z
  .string()
  .check(z.minLength(1), z.maxLength(longestWorkspaceName), z.regex(emptyOrVisible));

const visibility = z.enum(historyVisibilities);

const schemas = {
  "workspace.created": z.strictObject({ name }),
  "workspace.renamed": z.strictObject({ name }),
  /** The history visibility of viewers and commenters. Editors and owners see everything. */
  "workspace.history_graded": z.strictObject({ viewer: visibility, commenter: visibility }),
};

declare module "@/events/core/event-types" {
  interface WorkspaceBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "workspace",
  initial: "absent",
  states: {
    absent: { on: { "workspace.created": { target: "active", meta: { right: "anyone" } } } },
    active: {
      on: {
        "workspace.renamed": { target: "active", meta: { right: "owner" } },
        "workspace.history_graded": { target: "active", meta: { right: "owner" } },
      },
    },
  },
});

export type Workspace = {
  name: string;
  createdBy: string;
  createdAt: string;
  history: RestrictedHistory;
};

export const workspace = defineAggregate({
  kind: "workspace",
  streamKind: "workspace",
  schemas,
  hosts: ["active"],
  updates: [],
  redactable: { "workspace.created": ["name"], "workspace.renamed": ["name"] },
  machine,
  initial: (): Workspace => ({
    name: "",
    createdBy: "",
    createdAt: "",
    history: { viewer: "everything", commenter: "everything" },
  }),
  reducers: {
    "workspace.created": (draft, body, metadata) => {
      draft.name = body.name;
      draft.createdBy = metadata.actorId;
      draft.createdAt = metadata.recordedAt;
    },
    "workspace.renamed": (draft, body) => {
      draft.name = body.name;
    },
    "workspace.history_graded": (draft, body) => {
      draft.history = body;
    },
  },
});
