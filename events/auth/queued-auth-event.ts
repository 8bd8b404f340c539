import type { AuthChange, Session } from "./auth";
import type { EventTypeOf, TypedEvent } from "@/events/core/event-types";
import { uuidV5 } from "@/events/core/ids/uuid";

/** An authentication event that is not yet in its account's stream. */
export type QueuedAuthEvent = TypedEvent<EventTypeOf<"auth">> & {
  id: string;
  userId: string;
  sessionId: string;
  /** ISO time by this machine's clock. */
  clientTime: string;
};

type LoggedChange = Exclude<AuthChange["name"], "found">;

const typeOf = {
  "signed-in": "auth.signed_in",
  "signed-out": "auth.signed_out",
  "token-refreshed": "auth.token_refreshed",
  "password-recovery": "auth.password_recovery",
  "user-updated": "auth.user_updated",
} as const satisfies Record<LoggedChange, QueuedAuthEvent["type"]>;

/**
 * Builds the event of an auth change. Its id is derived from the session, the change and the
 * token's issue time. Every tab that notices the change therefore builds the same event, and the
 * log stores it once.
 */
export function queuedAuthEvent(
  change: LoggedChange,
  session: Session,
  clientTime: string,
  fields: string[] = [],
): QueuedAuthEvent {
  const type = typeOf[change];
  const stamp =
    change === "user-updated"
      ? `${session.updatedAt}:${fields.join(",")}`
      : String(session.issuedAt);
  return {
    id: uuidV5(session.userId, `${session.sessionId}:${type}:${stamp}`),
    userId: session.userId,
    sessionId: session.sessionId,
    ...(change === "user-updated"
      ? { type: typeOf[change], body: { fields } }
      : { type: typeOf[change], body: {} }),
    clientTime,
  };
}
