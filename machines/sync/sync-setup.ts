import { assign, fromPromise, raise, setup } from "xstate";
import { type Refusal } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { type Elsewhere, type SendOutcome, type SyncEvent, type Trouble } from "./sync-events";

type Context = {
  /** Own edits that the log does not hold, or does not yet show, yet. */
  pending: number;
  /** How many of them cannot be placed, because what they depend on is lost. */
  orphaned: number;
  /** How many records of the device this page cannot read. */
  unreadable: number;
  /** What other tabs keep for this document. */
  elsewhere: Elsewhere;
  /** Why the device keeps nothing, where it does not: it is full, or it does not let itself be used. */
  full: boolean;
  refusal: Refusal | null;
  /** Sends that failed in a row. */
  failures: number;
  /** Readings that failed in a row. */
  misses: number;
  /** Why the last call failed; a sending's reason counts for more than a reading's. */
  trouble: Trouble;
  /** A notice came while the log was being read. */
  again: boolean;
  /** Whether this person may read the document at all. */
  accepted: boolean;
  /** Milliseconds by which broadcasts are held back to stay within the message limit. */
  delay: number;
};

/** What the regions of the machine are made of: its context, its two actors, its delays, guards and actions. */
export const syncSetup = setup({
  types: {
    context: {} as Context,
    events: {} as SyncEvent,
  },
  actors: {
    catchUp: fromPromise<void>(() => Promise.resolve()),
    send: fromPromise<SendOutcome>(() => Promise.resolve({ kind: "empty" })),
  },
  delays: {
    gather: 30,
    poll: 10_000,
    alone: 3_000,
    reread: ({ context }) => backoff(context.misses),
    // Each event is announced to everybody as well, so it keeps to the same pace as the letters.
    flush: ({ context }) => Math.max(800, context.delay),
    held: 500,
    resend: ({ context }) => backoff(context.failures),
    grace: 5_000,
    silence: 10_000,
    // Whoever answers so late may have stood still, and notices with it.
    late: 3_000,
  },
  guards: {
    again: ({ context }) => context.again,
    accepted: ({ context }) => context.accepted,
    signedOut: ({ context }) => context.refusal === null,
    sendable: ({ context }) => context.failures === 0,
    foremost: ({ context, event }) =>
      event.type === "failed" && (event.call === "send" || context.failures === 0),
  },
  actions: {
    unsent: assign({ failures: ({ context }) => context.failures + 1 }),
    sent: assign({ failures: 0, refusal: null }),
    unread: assign({ misses: ({ context }) => context.misses + 1 }),
    read: assign({ misses: 0 }),
    silent: assign({ trouble: "silence" }),
    doubt: raise({ type: "doubted" }),
    raiseCaughtUp: raise({ type: "caught.up" }),
    raiseAnswered: raise({ type: "answered" }),
    raiseReadSilent: raise({ type: "failed", call: "read", trouble: "silence" }),
    raiseSendSilent: raise({ type: "failed", call: "send", trouble: "silence" }),
    raiseReadFailed: raise((_, { error }: { error: unknown }) => ({
      type: "failed",
      call: "read",
      trouble: troubleOf(error),
    })),
    raiseSendFailed: raise((_, { error }: { error: unknown }) => ({
      type: "failed",
      call: "send",
      trouble: troubleOf(error),
    })),
  },
});

function troubleOf(error: unknown): Trouble {
  return error instanceof StoreFault && error.status === 0 ? "silence" : "fault";
}

/** 0.5 s, 1 s, 2 s … 15 s. */
function backoff(failures: number): number {
  return Math.min(15_000, 250 * 2 ** Math.min(failures, 6));
}
