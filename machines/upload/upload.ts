import { assign, fromCallback, fromPromise, setup } from "xstate";

/** Why an upload failed. A `final` failure is not retried. `name` is the refusal's name. */
type UploadFailure = { message: string; final: boolean; name?: string | undefined };

/** Thrown by a step of an upload. `offline` is not a failure: the upload waits for a connection. */
export class UploadError extends Error {
  readonly failure: UploadFailure | "offline";

  constructor(failure: UploadFailure | "offline") {
    super(failure === "offline" ? failure : failure.message);
    this.failure = failure;
  }
}

/** The steps of an upload, injected by the caller. */
export type UploadSteps = {
  /**
   * Resolves to `mine` once no other tab is uploading the file, or to `gone` if the file was stored
   * or cancelled by then. Calls `onHeld` if another tab is uploading the file.
   */
  claim: (onHeld: () => void, signal: AbortSignal) => Promise<Claim>;
  /** Calls `listener` once another tab stores or cancels the file. Returns the unsubscriber. */
  onGone: (listener: () => void) => () => void;
  /** Waits for its turn, then requests the address to which to send the file. */
  begin: (signal: AbortSignal) => Promise<{ address: string }>;
  send: (address: string, onSent: (bytes: number) => void, signal: AbortSignal) => Promise<void>;
  settle: (signal: AbortSignal) => Promise<void>;
  /** Calls `listener` when there may be a connection again. */
  onConnection: (listener: () => void) => () => void;
};

type Claim = "mine" | "gone";

type Context = {
  steps: UploadSteps;
  bytes: number;
  sent: number;
  address: string;
  failure: UploadFailure | null;
};
type UploadEvent =
  | { type: "held" }
  | { type: "gone" }
  | { type: "sent"; bytes: number }
  | { type: "connected" }
  | { type: "retry" }
  | { type: "cancel" };

const unknown: UploadFailure = {
  message: "Something went wrong here. The file is kept on this device.",
  final: false,
};

function failureOf(error: unknown): UploadFailure | "offline" {
  return error instanceof UploadError ? error.failure : unknown;
}

/** Returns the failure to show for steps that do not depend on a connection. */
function shownFailureOf(error: unknown): UploadFailure {
  const failure = failureOf(error);
  return failure === "offline" ? unknown : failure;
}

/**
 * The upload of one file: claimed, begun, sent, settled. Offline, it waits for a connection and
 * begins again. A failed upload can be retried, and an upload can be cancelled in every state.
 */
export const uploadMachine = setup({
  // XState infers the types of context, events and input from these casts. They hold no values.
  types: {
    context: {} as Context,
    events: {} as UploadEvent,
    input: {} as { steps: UploadSteps; bytes: number },
  },
  actors: {
    claim: fromPromise(
      ({
        input,
        signal,
      }: {
        input: { steps: UploadSteps; onHeld: () => void };
        signal: AbortSignal;
      }) => input.steps.claim(input.onHeld, signal),
    ),
    gone: fromCallback<{ type: "gone" }, UploadSteps>(({ input, sendBack }) =>
      input.onGone(() => sendBack({ type: "gone" })),
    ),
    begin: fromPromise(({ input, signal }: { input: UploadSteps; signal: AbortSignal }) =>
      input.begin(signal),
    ),
    send: fromPromise(
      ({
        input,
        signal,
      }: {
        input: { steps: UploadSteps; address: string; onSent: (bytes: number) => void };
        signal: AbortSignal;
      }) => input.steps.send(input.address, input.onSent, signal),
    ),
    settle: fromPromise(({ input, signal }: { input: UploadSteps; signal: AbortSignal }) =>
      input.settle(signal),
    ),
    connection: fromCallback<{ type: "connected" }, UploadSteps>(({ input, sendBack }) =>
      input.onConnection(() => sendBack({ type: "connected" })),
    ),
  },
}).createMachine({
  id: "upload",
  initial: "claiming",
  context: ({ input: { steps, bytes } }) => ({
    steps,
    bytes,
    sent: 0,
    address: "",
    failure: null,
  }),
  invoke: { id: "gone", src: "gone", input: ({ context }) => context.steps },
  // While this tab has the claim, no other tab can store the file, so `gone` means cancelled.
  on: { cancel: ".cancelled", gone: ".cancelled" },
  states: {
    claiming: {
      entry: assign({ sent: 0, failure: null }),
      initial: "asking",
      states: { asking: { on: { held: "waiting" } }, waiting: {} },
      on: { gone: "done" },
      invoke: {
        id: "claim",
        src: "claim",
        input: ({ context: { steps }, self }) => ({
          steps,
          onHeld: () => self.send({ type: "held" }),
        }),
        onDone: [
          { guard: ({ event }) => event.output === "gone", target: "done" },
          { target: "beginning" },
        ],
        onError: {
          target: "failed",
          actions: assign({ failure: ({ event }) => shownFailureOf(event.error) }),
        },
      },
    },
    beginning: {
      entry: assign({ sent: 0 }),
      invoke: {
        id: "begin",
        src: "begin",
        input: ({ context }) => context.steps,
        onDone: { target: "sending", actions: assign(({ event }) => event.output) },
        onError: [
          { guard: ({ event }) => failureOf(event.error) === "offline", target: "offline" },
          {
            target: "failed",
            actions: assign({ failure: ({ event }) => shownFailureOf(event.error) }),
          },
        ],
      },
    },
    sending: {
      on: { sent: { actions: assign({ sent: ({ event }) => event.bytes }) } },
      invoke: {
        id: "send",
        src: "send",
        input: ({ context: { steps, address }, self }) => ({
          steps,
          address,
          onSent: (bytes: number) => self.send({ type: "sent", bytes }),
        }),
        onDone: "settling",
        onError: [
          { guard: ({ event }) => failureOf(event.error) === "offline", target: "offline" },
          {
            target: "failed",
            actions: assign({ failure: ({ event }) => shownFailureOf(event.error) }),
          },
        ],
      },
    },
    settling: {
      invoke: {
        id: "settle",
        src: "settle",
        input: ({ context }) => context.steps,
        onDone: "done",
        onError: [
          { guard: ({ event }) => failureOf(event.error) === "offline", target: "offline" },
          {
            target: "failed",
            actions: assign({ failure: ({ event }) => shownFailureOf(event.error) }),
          },
        ],
      },
    },
    offline: {
      invoke: { src: "connection", input: ({ context }) => context.steps },
      on: { connected: "beginning", retry: "beginning" },
    },
    // While this upload is in its failed state, another tab may upload the file.
    failed: { on: { retry: "claiming", gone: "done" } },
    done: { type: "final" },
    cancelled: { type: "final" },
  },
});
