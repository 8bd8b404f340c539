import type { Session } from "@/events/auth/auth";
import { firstCodePoints } from "@/events/core/text/code-points";
import type { Proposal } from "@/events/core/envelope";
import { typedEvent } from "@/events/core/event-types";
import type { BodyOf, EventType } from "@/events/core/event-types";
import type { Refusal } from "@/events/log/refusal";
import { underOwnSession } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import { uuidV5 } from "@/events/core/ids/uuid";

const longest = 80;
const firstWorkspace = "first workspace";
const possessive = "’s workspace";

/**
 * Returns an account's initial name: the name given at sign-up, or the part of the email address
 * before the @.
 */
function firstName(session: Pick<Session, "name" | "email">): string {
  return firstCodePoints(session.name.trim() || session.email.split("@")[0] || "Someone", longest);
}

/** Derives the id of the workspace that a person's sign-up creates from the user id. */
export function firstWorkspaceId(userId: string): string {
  return uuidV5(userId, firstWorkspace);
}

/**
 * Creates the account's stream, the person's first workspace and their profile, unless the profile
 * exists. Every id is derived from the user id, so that two tabs, or a retry after a fault, create
 * nothing twice. Another person who knows the user id could have used one of these ids before. In
 * that case the id is also derived from the session id, which others cannot know.
 */
export async function openAccount(
  store: Pick<Store, "append" | "read">,
  session: Session,
): Promise<Refusal[]> {
  const { userId } = session;
  // The profile is appended last. Until the log has it, all three are tried again.
  const begun = await store.read(userId, 0, 2);
  if (begun.some((event) => event.type === "account.profile_changed")) return [];
  const name = firstName(session);
  const workspaceName = `${name.slice(0, longest - possessive.length)}${possessive}`;
  const step = <T extends EventType>(space: string, type: T, body: BodyOf<T>): Proposal => ({
    id: uuidV5(space, type),
    ...typedEvent(type, body),
  });
  const opening = (seed: string) => {
    const workspaceId = uuidV5(seed, firstWorkspace);
    return [
      { stream: userId, expected: null, event: step(seed, "account.created", {}) },
      {
        stream: workspaceId,
        expected: 0,
        event: step(workspaceId, "workspace.created", { name: workspaceName }),
      },
      {
        stream: userId,
        expected: null,
        event: step(seed, "account.profile_changed", { name, color: null }),
      },
    ];
  };
  const others = opening(uuidV5(userId, session.sessionId));
  const refused: Refusal[] = [];
  for (const [at, known] of opening(userId).entries()) {
    for (const { stream, expected, event } of [known, others[at] ?? known]) {
      const answer = underOwnSession(await store.append(stream, expected, [event], userId));
      if (answer.ok) break;
      if (event !== known.event) refused.push(answer.refusal);
    }
  }
  return refused;
}
