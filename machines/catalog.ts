import type { EventType } from "@/events/core/event-types";
import type { Right } from "@/events/log/aggregate";
import { compileLaw } from "@/events/log/law";
import { account } from "./account";
import { comment } from "./comment";
import { document } from "./document";
import { file } from "./file";
import { invitation } from "./invitation";
import { atLeast, member } from "./member";
import type { Role } from "./member";
import { thread } from "./thread";
import { version } from "./version";
import { workspace } from "./workspace";

/** All aggregate kinds. This is the only list of them. */
export const aggregates = [
  account,
  workspace,
  member,
  invitation,
  document,
  version,
  thread,
  comment,
  file,
] as const;

/** The law (transition table) of all aggregates, as the database has it. */
export const law = compileLaw(aggregates);

const kindOf = new Map(
  aggregates.flatMap(({ kind, schemas }) => Object.keys(schemas).map((type) => [type, kind])),
);

/**
 * Returns the kind of subject whose lifecycle has this event type, or undefined if this build does
 * not know the type.
 */
export function kindOfType(type: string): string | undefined {
  return kindOf.get(type);
}

/** Whether this build knows an event type. */
export function isEventType(type: string): type is EventType {
  return kindOf.has(type);
}

/**
 * `role` is the caller's role in the workspace, or null outside it. `isSelf` means that the subject
 * is the caller, and `isAuthor` that the caller created the subject.
 */
type Asking = { phase: string; role: Role | null; isSelf: boolean; isAuthor: boolean };

function holds(right: Right, { role, isSelf, isAuthor }: Asking): boolean {
  if (right === "anyone") return true;
  if (right === "self") return isSelf;
  if (right === "author") return isAuthor && role !== null;
  if (right === "invited") return false;
  return role !== null && atLeast(role, right);
}

/** Whether the database would accept this event from this person now. Used to enable buttons. */
export function mayEmit(type: EventType, asking: Asking): boolean {
  const kind = kindOfType(type);
  if (kind === undefined) return false;
  const verdict = law.judge(kind, asking.phase, type);
  return verdict.ok && holds(verdict.right, asking);
}
