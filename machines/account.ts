import * as z from "zod/mini";
import type { BodiesOf } from "@/events/core/event-types";
import { formerMember } from "@/events/core/former-member";
import { defineAggregate, lifecycle } from "@/events/log/aggregate";
import { longestPersonName } from "@/events/core/text/text-lengths";
import { emptyOrVisible } from "@/events/core/text/visible-text";
import { writtenId } from "@/events/core/ids/written-id";

const name = z.string().check(z.maxLength(longestPersonName), z.regex(emptyOrVisible));
const nothing = z.strictObject({});

const schemas = {
  "account.created": nothing,
  // Without a colour, each workspace shows the one that it assigned (machines/member.ts).
  "account.profile_changed": z.strictObject({
    name,
    color: z.nullable(z.int().check(z.minimum(0), z.maximum(11))),
  }),
  /** The id of the person's picture in the bucket `avatars`, or null without a picture. */
  "account.picture_set": z.strictObject({ picture: z.nullable(writtenId) }),
  /** Deletes the person and destroys their personal data in this stream. The events remain. */
  "account.deleted": nothing,
  "auth.signed_in": nothing,
  "auth.signed_out": nothing,
  "auth.token_refreshed": nothing,
  "auth.password_recovery": nothing,
  "auth.user_updated": z.strictObject({
    fields: z.array(z.string().check(z.minLength(1), z.maxLength(40))).check(z.maxLength(20)),
  }),
};

const toActive = { target: "active", meta: { right: "self" } } as const;

declare module "@/events/core/event-types" {
  interface AccountBodies extends BodiesOf<typeof schemas> {}
}

const machine = lifecycle(schemas).createMachine({
  id: "account",
  initial: "absent",
  states: {
    absent: { on: { "account.created": toActive } },
    active: {
      on: {
        "account.profile_changed": toActive,
        "account.picture_set": toActive,
        // Never appended alone: the same transaction ends the memberships and deletes the person's
        // own records.
        "account.deleted": { target: "deleted", meta: { right: "invited" } },
        "auth.signed_in": toActive,
        "auth.signed_out": toActive,
        "auth.token_refreshed": toActive,
        "auth.password_recovery": toActive,
        "auth.user_updated": toActive,
      },
    },
    deleted: { type: "final" },
  },
});

/**
 * `color` is the palette index that the person chose for all workspaces, or null without a choice.
 */
type Account = { name: string; color: number | null; picture: string | null; createdAt: string };

export const account = defineAggregate({
  kind: "account",
  streamKind: "account",
  schemas,
  hosts: [],
  updates: [],
  redactable: { "account.profile_changed": ["name"] },
  machine,
  initial: (): Account => ({ name: "", color: null, picture: null, createdAt: "" }),
  reducers: {
    "account.created": (draft, _body, metadata) => {
      draft.createdAt = metadata.recordedAt;
    },
    "account.profile_changed": (draft, body) => {
      draft.name = body.name;
      draft.color = body.color;
    },
    "account.picture_set": (draft, body) => {
      draft.picture = body.picture;
    },
    "account.deleted": (draft) => {
      draft.name = formerMember;
      draft.color = null;
      draft.picture = null;
    },
    "auth.signed_in": () => {},
    "auth.signed_out": () => {},
    "auth.token_refreshed": () => {},
    "auth.password_recovery": () => {},
    "auth.user_updated": () => {},
  },
});
