import * as z from "zod/mini";
import type { Ruled } from "@/events/core/envelope";
import { randomUUID } from "node:crypto";
import { phaseOf, subjectOf, subjectsOf } from "@/events/log/stream-fold";
import type { StreamFold } from "@/events/log/stream-fold";
import { streamRules } from "@/events/log/stream-rules";
import { aggregates, kindOfType, law, isEventType, mayEmit } from "@/machines/catalog";
import { comment } from "@/machines/comment";
import { document } from "@/machines/document";
import { moveRefusal } from "@/machines/document-tree";
import type { DocumentTree, Placed } from "@/machines/tree-path";
import { keepsAnOwner, member, roles } from "@/machines/member";
import type { Role } from "@/machines/member";
import type { NewProposal, User } from "@/tests/support/database/database";
import { streamKindOf } from "./random-proposal";

const moves = z.object({ parent: z.nullable(z.string()), after: z.nullable(z.string()) });

/** What the folds know of a history. */
type Known = {
  fold(stream: string): StreamFold;
  newest(stream: string): Ruled | undefined;
  roleOf(user: User): Role | null;
  readonly tree: DocumentTree;
};

/** The verdict of the database according to the TypeScript law (transition table). */
export function predict(
  known: Known,
  user: User,
  stream: string,
  { type, subject, body }: NewProposal,
): string {
  const kind = kindOfType(type) ?? "";
  const about = subject ?? { kind, id: stream };
  const fold = known.fold(stream);
  const phase = phaseOf(fold, about);
  const streamKind = streamKindOf(type);
  const begins = fold.version === 0;
  if (begins && type !== `${kind}.created`) return "not-permitted";
  const role = begins && kind === "workspace" ? null : known.roleOf(user);
  if (!begins && kind !== "account" && role === null) return "not-permitted";
  if (begins && kind === "document" && role === null) return "not-permitted";
  if (!law.judge(kind, phase, type).ok) return "illegal-transition";
  const host = aggregates.find((candidate) => candidate.kind === streamKind);
  if (kind !== streamKind && !host?.hosts.includes(phaseOf(fold, { kind: streamKind, id: stream })))
    return "illegal-transition";
  const isAuthor =
    kind === "comment" && subjectOf(fold, comment, about.id).state.authorId === user.id;
  if (!isEventType(type) || !mayEmit(type, { phase, role, isSelf: about.id === user.id, isAuthor }))
    return "not-permitted";
  const optimistic = { id: randomUUID(), type, body, subject: about, actorId: user.id, time: "" };
  if (
    kind === "comment" &&
    !streamRules(aggregates, law, { kind: "document", id: stream }).judge(fold, optimistic).ok
  )
    return "illegal-transition";
  if (kind === "member" && type !== "member.joined") {
    const next =
      type === "member.role_changed" && typeof body === "object" && body !== null && "role" in body
        ? roles.find((known) => known === body.role)
        : null;
    if (!keepsAnOwner(subjectsOf(fold, member), about.id, next ?? null)) return "not-permitted";
  }
  if (
    type === "version.named" &&
    typeof body === "object" &&
    body !== null &&
    "at" in body &&
    Number(body.at) > fold.version
  )
    return "invalid-event";
  const isInside = ({ parent, phase }: Placed) => parent === stream && phase !== "purged";
  if (type === "document.purged" && [...known.tree.values()].some(isInside))
    return "illegal-transition";
  const move = type === "document.moved" ? moves.parse(body) : null;
  if (move) return moveRefusal(known.tree, stream, move)?.name ?? "ok";
  return predictCopyIn(known, user, stream, { type, body });
}

/** A copy-in that creates a document (whose pieces may repeat), or a merge of related documents. */
function predictCopyIn(
  known: Known,
  user: User,
  stream: string,
  { type, body }: Pick<NewProposal, "type" | "body">,
): string {
  if (type === "document.redacted") return "invalid-event";
  if (type === "document.step_imported") {
    const before = known.newest(stream);
    const goesOn =
      before?.type === type || (before?.type === "document.imported" && before.version === 2);
    return goesOn && before.actorId === user.id ? "ok" : "illegal-transition";
  }
  if (typeof body !== "object" || body === null || !("document" in body)) return "ok";
  const fold = known.fold(stream);
  const other = String(body.document);
  if (type !== "document.merged" && fold.version > 1) return "illegal-transition";
  if (type === "document.imported") return "ok";
  const source = known.fold(other);
  if (source.version === 0) return "not-permitted";
  if (Number(body.version) > source.version) return "invalid-event";
  const forkedFrom = (id: string) => subjectOf(known.fold(id), document, id).state.forkedFrom;
  return type === "document.forked" || forkedFrom(stream) === other || forkedFrom(other) === stream
    ? "ok"
    : "invalid-event";
}
