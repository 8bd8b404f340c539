import * as z from "zod/mini";
import { longestVersionName } from "@/events/core/text/text-lengths";
import type { BodiesOf } from "@/events/core/event-types";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";
import { emptyOrVisible } from "@/events/core/text/visible-text";

const name = z
  .string()
  .check(z.minLength(1), z.maxLength(longestVersionName), z.regex(emptyOrVisible));
const nothing = z.strictObject({});

const schemas = {
  /** `at` is a version that the document's stream has reached, which the database checks. */
  "version.named": z.strictObject({ at: z.int().check(z.minimum(1)), name }),
  "version.renamed": z.strictObject({ name }),
  "version.pinned": nothing,
  "version.unpinned": nothing,
};

const editor = { meta: { right: "editor" } } as const;

declare module "@/events/core/event-types" {
  interface DocumentBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "version",
  initial: "absent",
  states: {
    absent: { on: { "version.named": { target: "named", ...editor } } },
    named: {
      on: {
        "version.renamed": { target: "named", ...editor },
        "version.pinned": { target: "pinned", ...editor },
      },
    },
    pinned: {
      on: {
        "version.renamed": { target: "pinned", ...editor },
        "version.unpinned": { target: "named", ...editor },
      },
    },
  },
});

type NamedVersion = { at: number; name: string; createdBy: string; createdAt: string };

/**
 * A name for a revision of a document. The name can be changed and pinned. The revision never
 * changes.
 */
export const version = defineAggregate({
  kind: "version",
  streamKind: "document",
  schemas,
  hosts: [],
  updates: [],
  redactable: { "version.named": ["name"], "version.renamed": ["name"] },
  machine,
  initial: (): NamedVersion => ({ at: 0, name: "", createdBy: "", createdAt: "" }),
  reducers: {
    "version.named": (draft, body, metadata) => {
      draft.at = body.at;
      draft.name = body.name;
      draft.createdBy = metadata.actorId;
      draft.createdAt = metadata.recordedAt;
    },
    "version.renamed": (draft, body) => {
      draft.name = body.name;
    },
    "version.pinned": () => {},
    "version.unpinned": () => {},
  },
});
