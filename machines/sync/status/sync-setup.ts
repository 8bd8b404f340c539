import { assign, fromPromise, raise, setup } from "xstate";
import type { Refusal } from "@/events/log/refusal";
import { StoreFault } from "@/events/log/store";
import { syncDelays } from "./sync-delays";
import type { Elsewhere, SendOutcome, SyncEvent, Trouble } from "./sync-events";

type Context = {
  /** The number of own edits not acknowledged, or acknowledged and not yet read back. */
  pending: number;
  /** The number of pending edits that cannot be placed, because their dependency is lost. */
  orphaned: number;
  /** The number of device records that this page cannot read. */
  unreadable: number;
  /** The state of this document's edits in other tabs. */
  elsewhere: Elsewhere;
  /** Whether the device stores nothing because it is full, and not because it is unavailable. */
  full: boolean;
  refusal: Refusal | null;
  /** The number of consecutive failed sends. */
  failures: number;
  /** The number of consecutive failed reads. */
  misses: number;
  /** Why the last call failed. The reason of a send takes precedence over the reason of a read. */
  trouble: Trouble;
  /** Whether the browser reports a network. */
  network: boolean;
  /** Whether a notice arrived while the log was being read. */
  again: boolean;
  /** Whether this person may read the document at all. */
  accepted: boolean;
  /** Milliseconds by which broadcasts are delayed to stay within the message limit. */
  delay: number;
};

/** The shared setup of the machine's regions: context, actors, delays, guards and actions. */
export const syncSetup = setup({
  types: {
    context: {} as Context,
    events: {} as SyncEvent,
  },
  actors: {
    catchUp: fromPromise<void>(() => Promise.resolve()),
    send: fromPromise<SendOutcome>(() => Promise.resolve({ kind: "empty" })),
  },
  // The delays are not random until `provide` supplies them.
  delays: syncDelays({ unit: () => 1 }),
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
  if (!(error instanceof StoreFault)) return "fault";
  const { status, foreign, message } = error;
  // A request that timed out has waited long. Any other without an answer had no connection.
  if (status === 0) return message.startsWith("TimeoutError") ? "silence" : "unreachable";
  if (status === 413) return "too-large";
  if (status === 429) return "too-often";
  if (status >= 500) return "fault";
  if (foreign) return status < 400 ? "foreign" : "blocked";
  return status === 401 || status === 403 ? "session" : "fault";
}
