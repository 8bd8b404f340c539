import type { LimitName } from "@/events/core/limits";

/** The names of the database's refusals. The SQL function `private.refuse` has the same list. */
export const refusalNames = [
  "version-conflict",
  "illegal-transition",
  "not-permitted",
  "invalid-event",
  "too-large",
] as const;

export type RefusalName = (typeof refusalNames)[number];

/**
 * The reasons under each name, which the database sends as an error's hint. A limit that was
 * exceeded has its own name as the reason.
 */
export const refusalReasons = {
  "version-conflict": ["stale-version", "redacted-since", "replaced-since"],
  "illegal-transition": [
    "phase",
    "host-phase",
    "thread-missing",
    "not-a-beginning",
    "not-importing",
    "invitation-closed",
    "invitation-expired",
    "own-branch",
    "parent-trashed",
    "no-room-between",
    "branch-left",
  ],
  "not-permitted": [
    "signed-out",
    "other-account",
    "no-access",
    "right-missing",
    "service-only",
    "not-owner",
    "client-id-taken",
    "last-owner",
    "account-deleted",
    "removed-since",
    "tombstone-unattested",
    "invitation-missing",
    "invitation-for-other",
    "invitation-for-nobody",
  ],
  "invalid-event": [
    "batch-malformed",
    "event-malformed",
    "id-malformed",
    "id-repeated",
    "id-taken",
    "type-unknown",
    "body-malformed",
    "schema-malformed",
    "schema-unknown",
    "subject-malformed",
    "subject-of-other-kind",
    "update-malformed",
    "client-ids-malformed",
    "client-ids-without-update",
    "client-time-malformed",
    "version-ahead",
    "revert-malformed",
    "revert-empty",
    "origin-wrong",
    "documents-unrelated",
    "invitation-malformed",
    "parent-missing",
    "sibling-missing",
    "event-missing",
    "nothing-to-redact",
    "redacted-already",
    "tombstone-malformed",
    "other-log",
    "segment-missing",
    "not-base64",
    "file-missing",
    "address-wrong",
  ],
  "too-large": ["batch-too-large", "body-too-large", "update-too-large"],
} as const satisfies Record<RefusalName, readonly string[]>;

/** The limits for which an append can be refused. The other limits only qualify these. */
export type RefusingLimit = Exclude<LimitName, `${"reserve" | "small"}_${string}`>;

export type RefusalReason = (typeof refusalReasons)[RefusalName][number] | RefusingLimit;
