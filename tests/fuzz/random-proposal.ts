import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { copyInPayload } from "@/events/crdt/payload/copy-in-payload";
import { bringTombstone } from "@/events/crdt/payload/tombstone-payload";
import { aggregates, kindOfType } from "@/machines/catalog";
import { document } from "@/machines/document";
import { roles } from "@/machines/member";
import type { NewProposal, User } from "@/tests/support/database/database";
import { newToken } from "@/tests/support/writers/workspaces";

/** A file whose bytes are stored in every workspace of a random history. */
export const storedFile = {
  sha256: "c".repeat(64),
  bytes: 7,
  name: "F",
  type: "application/octet-stream",
  width: null,
  height: null,
} as const;

/** One act in a random history. */
export const step = fc.record({
  who: fc.constantFrom(0, 0, 0, 1, 2, 3),
  act: fc.constantFrom(
    "emit",
    "emit",
    "emit",
    "emit",
    "comment",
    "comment",
    "comment",
    "invite",
    "invite",
    "accept",
    "accept",
    "decline",
  ),
  type: fc.noBias(fc.nat(999)),
  lawful: fc.boolean(),
  pick: fc.nat(7),
  role: fc.constantFrom(...roles),
  text: fc.string({ maxLength: 6 }).map((text) => text.replaceAll("\0", "")),
});
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The subjects of a history's events. */
export type Cast = {
  people: readonly User[];
  workspace: string;
  documents: readonly string[];
  /** A subject inside a document: the same id in both, because each stream has its own. */
  inside: string;
  threads: readonly string[];
  comments: readonly string[];
  invitations: readonly { id: string }[];
};

/** The kind of stream that events of a type belong to. */
export const streamKindOf = (type: string) =>
  aggregates.find(({ schemas }) => type in schemas)?.streamKind ?? "workspace";

/** The event of a step, given its type. */
export function proposalOf(
  cast: Cast,
  type: string,
  { pick, role, text }: Step,
  self: User,
): { stream: string; proposal: NewProposal } {
  const kind = kindOfType(type);
  const doc = cast.documents[pick % 2] ?? "";
  const person = cast.people[pick % 4] ?? self;
  const other = cast.invitations[pick % Math.max(1, cast.invitations.length)]?.id ?? randomUUID();
  const stream = { account: self.id, document: doc, workspace: cast.workspace }[streamKindOf(type)];
  const threadId = cast.threads[(pick >> 2) % 2] ?? "";
  const subjects: Record<string, NewProposal["subject"]> = {
    member: { kind: "member", id: type === "member.left" ? self.id : person.id },
    invitation: { kind: "invitation", id: other },
    version: { kind: "version", id: cast.inside },
    file: { kind: "file", id: cast.inside },
    thread: { kind: "thread", id: threadId },
    comment: { kind: "comment", id: cast.comments[(pick >> 1) % 2] ?? "" },
  };
  const subject = subjects[kind ?? ""];
  const bodies: Record<string, NewProposal["body"]> = {
    "account.profile_changed": { name: text, color: pick > 5 ? null : pick },
    "account.picture_set": { picture: null },
    "auth.user_updated": { fields: ["email"] },
    "workspace.created": { name: text || "W" },
    "workspace.renamed": { name: text || "W" },
    "workspace.history_graded": {
      viewer: pick > 3 ? "versions" : "everything",
      commenter: pick % 2 > 0 ? "versions" : "everything",
    },
    "member.joined": { role, invitationId: other, color: pick },
    "member.role_changed": { role },
    "invitation.created": {
      kind: "link",
      email: null,
      role: "viewer",
      expiresAt: null,
      tokenHash: newToken().tokenHash,
    },
    "document.created": { workspaceId: cast.workspace, title: text },
    "document.renamed": { title: text },
    "document.icon_set": {
      emoji: pick > 5 ? null : (["🌊", "🗺️", "👩🏽‍🚀", "🇭🇷", "1️⃣", "❤"][pick] ?? ""),
    },
    "document.moved": {
      parent:
        [null, cast.documents[0] ?? null, cast.documents[1] ?? null, cast.inside][pick % 4] ?? null,
      after: pick > 5 ? (cast.documents[0] ?? null) : null,
    },
    "document.template_set": { template: pick % 2 === 0 },
    "document.reverted": { toVersion: 1 },
    "document.reworked": { kind: "passage", author: null, from: null, to: 1, quote: "Q" },
    "document.forked": {
      document: doc === cast.documents[0] ? (cast.documents[1] ?? "") : (cast.documents[0] ?? ""),
      version: pick + 1,
    },
    "document.merged": {
      document: doc === cast.documents[0] ? (cast.documents[1] ?? "") : (cast.documents[0] ?? ""),
      version: 1,
    },
    "document.redacted": { event: randomUUID(), reason: text },
    "document.imported": {
      document: cast.inside,
      version: 1,
      head: "a".repeat(64),
      bundle: "b".repeat(64),
      events: 1,
      label: randomUUID(),
      authors: [],
    },
    "document.step_imported": {
      version: 1,
      type: "document.renamed",
      subject: null,
      phase: "live",
      author: 0,
      kept: '{"title":""}',
      text: '{"title":"T"}',
    },
    "file.attached": storedFile,
    "version.named": { at: pick + 1, name: text || "V" },
    "version.renamed": { name: text || "V" },
    "thread.opened": { start: "AA==", end: "AQ==", quote: text || "Q" },
    "comment.added": { thread: threadId, text: text || "C" },
    "comment.edited": { text: text || "C" },
  };
  const ownBody = bodies[type];
  const named =
    typeof ownBody === "object" && ownBody !== null && "document" in ownBody
      ? String(ownBody.document)
      : null;
  const source = type === "document.step_imported" ? cast.inside : named;
  const bytes =
    type === "document.redacted"
      ? bringTombstone(null)
      : source === null
        ? Uint8Array.of(0, 0)
        : copyInPayload({ source, payload: Uint8Array.of(0, 0) });
  const update = document.updates.includes(type) ? { update: bytes } : {};
  return {
    stream,
    proposal: { type, body: bodies[type] ?? {}, ...(subject && { subject }), ...update },
  };
}
