import type { AuthChange, AuthPort, AuthRefusal, EmailedLink, Session } from "@/events/auth/auth";
import type { Random } from "@/events/core/clock";
import type { AuthEventQueue } from "@/events/device/auth-event-queue";
import type { Store } from "@/events/log/store";

/** An attempt to sign in. */
export type Attempt =
  | { kind: "password"; email: string; password: string }
  | { kind: "sign-up"; name: string; email: string; password: string }
  | { kind: "code"; email: string; code: string }
  | { kind: "link"; link: EmailedLink };

/** Whether this browser alone signs out, or all of the person's browsers. */
export type Scope = "local" | "global";

/** The events of a session. */
export type SessionEvent =
  | { type: "noticed"; change: AuthChange }
  | { type: "attempt"; attempt: Attempt }
  | { type: "sign.out"; scope: Scope }
  /** The person's account was deleted, and their sessions were deleted with it. */
  | { type: "forgotten" }
  /** The server rejected this tab's token. */
  | { type: "rejected" };

/** The context of a session. */
export type SessionContext = {
  session: Session | null;
  /** The session that ended while its page was open. */
  ended: Session | null;
  /** The earlier session, if another person signed in without a sign-out in between. */
  replaced: Session | null;
  refusal: AuthRefusal | null;
  /** The last attempt succeeded, and its email address has to be confirmed. */
  confirm: boolean;
  scope: Scope;
};

/** The session's external dependencies. `now` returns ms since the epoch. */
export type SessionOptions = {
  auth: AuthPort;
  store: Pick<Store, "append" | "read">;
  queue: AuthEventQueue;
  now: () => number;
  random: Pick<Random, "unit">;
};
