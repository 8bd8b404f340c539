import * as z from "zod/mini";
import {
  longestPersonName,
  longestReason,
  longestRevertQuote,
  longestTitle,
} from "@/events/core/text/text-lengths";
import type { BodiesOf } from "@/events/core/event-types";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";
import { oneEmoji } from "@/events/core/text/emoji";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { writtenId } from "@/events/core/ids/written-id";

const title = z.string().check(z.maxLength(longestTitle), z.regex(emptyOrVisible));
const nothing = z.strictObject({});
const version = z.int().check(z.minimum(1));

/** A version of another document. */
const elsewhere = z.strictObject({ document: writtenId, version });
const sha256 = z.string().check(z.minLength(64), z.maxLength(64));

/** The kinds of change that can be reverted apart from a whole revision. */
const selectiveRevertKinds = ["passage", "author"] as const;

const schemas = {
  "document.created": z.strictObject({ workspaceId: writtenId, title }),
  "document.renamed": z.strictObject({ title }),
  /** The emoji before the title. Null removes it. */
  "document.icon_set": z.strictObject({
    emoji: z.nullable(z.string().check(z.maxLength(16), z.regex(oneEmoji))),
  }),
  /**
   * Moves the document inside `parent` (null: to the top level), after `after` (null: first).
   * `document-tree.ts`, which sees all documents, computes the result.
   */
  "document.moved": z.strictObject({
    parent: z.nullable(writtenId),
    after: z.nullable(writtenId),
  }),
  /** Whether the document is offered as a template for new ones. */
  "document.template_set": z.strictObject({ template: z.boolean() }),
  "document.edited": nothing,
  "document.reverted": z.strictObject({ toVersion: version }),
  /**
   * `passage`: a passage reads again as it did at version `to`. `quote` is how it begins, and
   * `author` and `from` are null. `author`: everything that `author` wrote and deleted in the
   * events `from` to `to` is reverted, and `quote` is null.
   */
  "document.reworked": z.strictObject({
    kind: z.enum(selectiveRevertKinds),
    author: z.nullable(writtenId),
    from: z.nullable(version),
    to: version,
    quote: z.nullable(z.string().check(z.maxLength(longestRevertQuote))),
  }),
  /**
   * The document starts as a copy of another document at `version`; the event's update holds the
   * content. It is the second event of its stream.
   */
  "document.forked": elsewhere,
  /** Merges the content that a fork has and its parent lacks into the parent, or the reverse. */
  "document.merged": elsewhere,
  /** The document starts as a copy of a bundle. It is the second event of its stream. */
  "document.imported": z.strictObject({
    /** The exported stream, its version, and the hash of its head in hex. */
    document: writtenId,
    version,
    head: sha256,
    /** SHA-256 of the bundle's file, and the number of events in the bundle. */
    bundle: sha256,
    events: z.int().check(z.minimum(1)),
    label: z.string().check(z.maxLength(300)),
    /** The authors' names in the bundle and their Yjs client ids. The authors are not accounts. */
    authors: z
      .array(
        z.strictObject({
          name: z.string().check(z.maxLength(longestPersonName)),
          clients: z.array(z.int().check(z.minimum(0))).check(z.maxLength(5000)),
        }),
      )
      .check(z.maxLength(500)),
  }),
  /**
   * One event of an imported history, after the import that names its authors. The update holds its
   * text, if it has any. The event appears on the timeline bar and grants no rights.
   */
  "document.step_imported": z.strictObject({
    /** The event's version in the exported stream. */
    version,
    type: z.string().check(z.maxLength(100)),
    /** Null for the document itself. */
    subject: z.nullable(
      z.strictObject({ kind: z.string().check(z.maxLength(100)), id: writtenId }),
    ),
    /** The phase that the event led to. */
    phase: z.string().check(z.maxLength(100)),
    /** The event's author, as an index in the import's `authors`. */
    author: z.int().check(z.minimum(0), z.maximum(499)),
    /**
     * The event's body as two JSON texts, `kept` without its words and `text` with the words alone,
     * so that a redaction finds the words.
     */
    kept: z.string().check(z.maxLength(4000)),
    text: z.string().check(z.maxLength(65536)),
  }),
  /** Destroys the payload of the event with this id. The update is the tombstone in its place. */
  "document.redacted": z.strictObject({
    event: writtenId,
    reason: z.string().check(z.maxLength(longestReason)),
  }),
  "document.trashed": nothing,
  "document.restored": nothing,
  /** Deletes the document permanently. Its events remain, and their payloads are destroyed. */
  "document.purged": nothing,
};

const toLive = { target: "live", meta: { right: "editor" } } as const;

declare module "@/events/core/event-types" {
  interface DocumentBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "document",
  initial: "absent",
  states: {
    absent: { on: { "document.created": toLive } },
    live: {
      on: {
        "document.renamed": toLive,
        "document.icon_set": toLive,
        "document.moved": toLive,
        "document.template_set": toLive,
        "document.edited": toLive,
        "document.reverted": toLive,
        "document.reworked": toLive,
        "document.forked": toLive,
        "document.merged": toLive,
        "document.imported": toLive,
        "document.step_imported": toLive,
        "document.redacted": { target: "live", meta: { right: "owner" } },
        "document.trashed": { target: "trashed", meta: { right: "editor" } },
      },
    },
    trashed: {
      on: {
        "document.restored": toLive,
        "document.redacted": { target: "trashed", meta: { right: "owner" } },
        "document.purged": { target: "purged", meta: { right: "owner" } },
      },
    },
    purged: { type: "final" },
  },
});

export type Document = {
  workspaceId: string;
  title: string;
  /** The emoji before the title. */
  icon: string | null;
  template: boolean;
  createdBy: string;
  createdAt: string;
  edits: number;
  /** The document that this one was forked from, and its version. Null if it started empty. */
  forkedFrom: string | null;
  forkedAt: number | null;
};

export const document = defineAggregate({
  kind: "document",
  streamKind: "document",
  schemas,
  hosts: ["live"],
  updates: [
    "document.edited",
    "document.reverted",
    "document.reworked",
    "document.forked",
    "document.merged",
    "document.imported",
    "document.step_imported",
    "document.redacted",
  ],
  redactable: {
    "document.created": ["title"],
    "document.renamed": ["title"],
    "document.reworked": ["quote"],
    "document.imported": ["label", "authors"],
    "document.step_imported": ["text"],
  },
  machine,
  initial: (): Document => ({
    workspaceId: "",
    title: "",
    icon: null,
    template: false,
    createdBy: "",
    createdAt: "",
    edits: 0,
    forkedFrom: null,
    forkedAt: null,
  }),
  reducers: {
    "document.created": (draft, body, metadata) => {
      draft.workspaceId = body.workspaceId;
      draft.title = body.title;
      draft.createdBy = metadata.actorId;
      draft.createdAt = metadata.recordedAt;
    },
    "document.renamed": (draft, body) => {
      draft.title = body.title;
    },
    "document.icon_set": (draft, body) => {
      draft.icon = body.emoji;
    },
    "document.moved": () => {},
    "document.template_set": (draft, body) => {
      draft.template = body.template;
    },
    "document.edited": (draft) => {
      draft.edits += 1;
    },
    "document.reverted": () => {},
    "document.reworked": () => {},
    "document.forked": (draft, body) => {
      draft.forkedFrom = body.document;
      draft.forkedAt = body.version;
    },
    "document.merged": () => {},
    "document.imported": () => {},
    "document.step_imported": () => {},
    "document.redacted": () => {},
    "document.trashed": () => {},
    "document.restored": () => {},
    "document.purged": (draft) => {
      draft.title = "";
      draft.icon = null;
      draft.template = false;
    },
  },
});
