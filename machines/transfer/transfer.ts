import { assign, fromPromise, setup } from "xstate";

/** How far a long piece of work has come; `all` is null as long as nobody knows. */
export type Progress = { done: number; all: number | null };

/** The work itself, which reaches outside and so is handed in; tried again, it goes on where it was. */
export type Work = (report: (progress: Progress) => void, signal: AbortSignal) => Promise<void>;

type Context = { work: Work; progress: Progress; fault: unknown };
type Event = { type: "START" } | { type: "PROGRESS"; progress: Progress } | { type: "CANCEL" };

const atStart: Progress = { done: 0, all: null };

/** A long piece of work that somebody watches: begun, called off while it runs, tried again when it failed. */
export const transferMachine = setup({
  // XState infers the types of context, events and input from these; they hold no values.
  types: {
    context: {} as Context,
    events: {} as Event,
    input: {} as { work: Work },
  },
  actors: {
    work: fromPromise(
      ({
        input: { work, report },
        signal,
      }: {
        input: { work: Work; report: (progress: Progress) => void };
        signal: AbortSignal;
      }) => work(report, signal),
    ),
  },
}).createMachine({
  id: "transfer",
  initial: "idle",
  context: ({ input: { work } }) => ({ work, progress: atStart, fault: null }),
  states: {
    idle: { on: { START: "running" } },
    running: {
      entry: assign({ progress: atStart, fault: null }),
      on: {
        PROGRESS: { actions: assign({ progress: ({ event }) => event.progress }) },
        CANCEL: "cancelled",
      },
      invoke: {
        src: "work",
        input: ({ context: { work }, self }) => ({
          work,
          report: (progress: Progress) => self.send({ type: "PROGRESS", progress }),
        }),
        onDone: "done",
        onError: { target: "failed", actions: assign({ fault: ({ event }) => event.error }) },
      },
    },
    done: { on: { START: "running" } },
    failed: { on: { START: "running", CANCEL: "cancelled" } },
    cancelled: { on: { START: "running" } },
  },
});
