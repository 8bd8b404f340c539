import { assign, fromCallback, fromPromise, setup } from "xstate";

/** Why an upload did not come to its end; what is `final` is not tried again. `name` is the refusal’s own. */
type UploadFailure = { message: string; final: boolean; name?: string | undefined };

/** Thrown by a step of an upload: `offline` is no failure, it waits for a connection. */
export class UploadError extends Error {
  readonly failure: UploadFailure | "offline";

  constructor(failure: UploadFailure | "offline") {
    super(failure === "offline" ? failure : failure.message);
    this.failure = failure;
  }
}

/** The steps of an upload, which reach outside and so are handed in. */
export type UploadSteps = {
  /** Waits for its turn and for the device to keep the file; then asks where to send it. */
  begin: (signal: AbortSignal) => Promise<{ address: string }>;
  send: (address: string, onSent: (bytes: number) => void, signal: AbortSignal) => Promise<void>;
  settle: (signal: AbortSignal) => Promise<void>;
  /** Calls back when there may be a connection again. */
  onConnection: (listener: () => void) => () => void;
};

type Context = {
  steps: UploadSteps;
  bytes: number;
  sent: number;
  address: string;
  failure: UploadFailure | null;
};
type UploadEvent =
  { type: "SENT"; bytes: number } | { type: "CONNECTED" } | { type: "RETRY" } | { type: "CANCEL" };

const unknown: UploadFailure = {
  message: "Something went wrong here. The file is kept on this device.",
  final: false,
};

function failureOf(error: unknown): UploadFailure | "offline" {
  return error instanceof UploadError ? error.failure : unknown;
}

/** The same of what is not without a connection. */
function shownFailureOf(error: unknown): UploadFailure {
  const failure = failureOf(error);
  return failure === "offline" ? unknown : failure;
}

/**
 * One file on its way: begun, sent, settled. Without a connection it waits and begins again; what
 * fails can be tried again, and all of it called off.
 */
export const uploadMachine = setup({
  // XState infers the types of context, events and input from these; they hold no values.
  types: {
    context: {} as Context,
    events: {} as UploadEvent,
    input: {} as { steps: UploadSteps; bytes: number },
  },
  actors: {
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
    connection: fromCallback<{ type: "CONNECTED" }, UploadSteps>(({ input, sendBack }) =>
      input.onConnection(() => sendBack({ type: "CONNECTED" })),
    ),
  },
}).createMachine({
  id: "upload",
  initial: "beginning",
  context: ({ input: { steps, bytes } }) => ({
    steps,
    bytes,
    sent: 0,
    address: "",
    failure: null,
  }),
  on: { CANCEL: ".cancelled" },
  states: {
    beginning: {
      entry: assign({ sent: 0, failure: null }),
      invoke: {
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
      on: { SENT: { actions: assign({ sent: ({ event }) => event.bytes }) } },
      invoke: {
        src: "send",
        input: ({ context: { steps, address }, self }) => ({
          steps,
          address,
          onSent: (bytes: number) => self.send({ type: "SENT", bytes }),
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
      on: { CONNECTED: "beginning", RETRY: "beginning" },
    },
    failed: { on: { RETRY: "beginning" } },
    done: { type: "final" },
    cancelled: { type: "final" },
  },
});
