// Compiled from machines/*.ts by `npm run generate`. Never edited by hand.
import type { BodyShape, EventType } from "./event-types";

/** The keys of each event type's body, with the shapes of their values. */
export const bodyShapes: {
  readonly [T in EventType]?: { readonly [key: string]: BodyShape };
} = {
  "account.profile_changed": { name: "string", "color?": "number" },
  "account.picture_set": { "picture?": "string" },
  "auth.user_updated": { fields: ["string"] },
  "workspace.created": { name: "string" },
  "workspace.renamed": { name: "string" },
  "workspace.history_graded": { viewer: "versions|everything", commenter: "versions|everything" },
  "member.joined": {
    role: "owner|editor|commenter|viewer",
    invitationId: "string",
    "color?": "number",
  },
  "member.role_changed": { role: "owner|editor|commenter|viewer" },
  "invitation.created": {
    kind: "email|link",
    "email?": "string",
    role: "editor|commenter|viewer",
    "expiresAt?": "number",
    tokenHash: "string",
  },
  "document.created": { workspaceId: "string", title: "string" },
  "document.renamed": { title: "string" },
  "document.icon_set": { "emoji?": "string" },
  "document.moved": { "parent?": "string", "after?": "string" },
  "document.template_set": { template: "boolean" },
  "document.reverted": { toVersion: "number" },
  "document.reworked": {
    kind: "passage|author",
    "author?": "string",
    "from?": "number",
    to: "number",
    "quote?": "string",
  },
  "document.forked": { document: "string", version: "number" },
  "document.merged": { document: "string", version: "number" },
  "document.imported": {
    document: "string",
    version: "number",
    head: "string",
    bundle: "string",
    events: "number",
    label: "string",
    authors: [{ name: "string", clients: ["number"] }],
  },
  "document.step_imported": {
    version: "number",
    type: "string",
    "subject?": { kind: "string", id: "string" },
    phase: "string",
    author: "number",
    kept: "string",
    text: "string",
  },
  "document.redacted": { event: "string", reason: "string" },
  "version.named": { at: "number", name: "string" },
  "version.renamed": { name: "string" },
  "thread.opened": { start: "string", end: "string", quote: "string" },
  "comment.added": { thread: "string", text: "string" },
  "comment.edited": { text: "string" },
  "file.attached": {
    sha256: "string",
    bytes: "number",
    name: "string",
    type: "image/png|image/jpeg|image/gif|image/webp|image/avif|application/octet-stream",
    "width?": "number",
    "height?": "number",
  },
};

/** The keys of bodies whose values a redaction empties. */
export const redactableKeys: readonly string[] = [
  "authors",
  "email",
  "label",
  "name",
  "quote",
  "text",
  "title",
];
