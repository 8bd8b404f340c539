import type { AuthChange, AuthPort, AuthRefusal, EmailedLink, Session } from "@/events/auth/auth";
import type { Random } from "@/events/core/clock";
import type { AuthEventQueue } from "@/events/device/auth-event-queue";
import type { Store } from "@/events/log/store";

/** A way to sign in that a person tries. */
export type Attempt =
  | { kind: "password"; email: string; password: string }
  | { kind: "sign-up"; name: string; email: string; password: string }
  | { kind: "code"; email: string; code: string }
  | { kind: "link"; link: EmailedLink };

/** Whether only this browser signs out, or all of a person's. */
export type Scope = "local" | "global";

/** What a session hears. */
export type SessionEvent =
  | { type: "noticed"; change: AuthChange }
  | { type: "attempt"; attempt: Attempt }
  | { type: "signOut"; scope: Scope }
  /** The person's account was deleted, and their sessions with it. */
  | { type: "forgotten" }
  /** The server did not accept the token that this tab holds. */
  | { type: "rejected" };

/** What a session remembers. */
export type SessionContext = {
  session: Session | null;
  /** Whose session ended while their page was open. */
  ended: Session | null;
  /** Who was here first, while another person is signed in without a sign-out in between. */
  replaced: Session | null;
  refusal: AuthRefusal | null;
  /** The last attempt was taken, and its address has to be confirmed by mail. */
  confirm: boolean;
  scope: Scope;
};

/** What the session needs from outside; `now` gives milliseconds since the epoch. */
export type SessionOptions = {
  auth: AuthPort;
  store: Pick<Store, "append" | "read">;
  queue: AuthEventQueue;
  now: () => number;
  random: Pick<Random, "unit">;
};
