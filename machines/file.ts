import * as z from "zod/mini";
import type { BodiesOf } from "@/events/core/event-types";
import { fileTypes } from "@/events/core/file-types";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";

const pixels = z.nullable(z.int().check(z.minimum(1), z.maximum(65_535)));

const schemas = {
  /**
   * The bytes are in the bucket `files` at `<workspace>/<sha256>`. The database records this event
   * only if an object with this size and type exists there. An image has a width and height.
   */
  "file.attached": z.strictObject({
    sha256: z.string().check(z.minLength(64), z.maxLength(64)),
    bytes: z.int().check(z.minimum(1), z.maximum(26_214_400)),
    name: z.string().check(z.minLength(1), z.maxLength(255), z.regex(emptyOrVisible)),
    type: z.enum(fileTypes),
    width: pixels,
    height: pixels,
  }),
};

declare module "@/events/core/event-types" {
  interface DocumentBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "file",
  initial: "absent",
  states: {
    absent: { on: { "file.attached": { target: "attached", meta: { right: "editor" } } } },
    attached: { type: "final" },
  },
});

type AttachedFile = {
  sha256: string;
  bytes: number;
  name: string;
  type: string;
  width: number | null;
  height: number | null;
};

/**
 * A file of a document. A file never changes: a picture that replaces another is a new file, so
 * that the history shows the earlier one.
 */
export const file = defineAggregate({
  kind: "file",
  streamKind: "document",
  schemas,
  hosts: [],
  updates: [],
  redactable: { "file.attached": ["name"] },
  machine,
  initial: (): AttachedFile => ({
    sha256: "",
    bytes: 0,
    name: "",
    type: "",
    width: null,
    height: null,
  }),
  reducers: {
    "file.attached": (draft, body) => {
      Object.assign(draft, body);
    },
  },
});
