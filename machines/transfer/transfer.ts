import { assign, fromPromise, setup } from "xstate";

/** The progress of a long task. `all` is null while the total is unknown. */
export type Progress = { done: number; all: number | null };

/** The task itself, injected by the caller. A retry resumes where the task stopped. */
export type Work = (report: (progress: Progress) => void, signal: AbortSignal) => Promise<void>;

type Context = { work: Work; progress: Progress; fault: unknown };
type Event = { type: "start" } | { type: "progress"; progress: Progress } | { type: "cancel" };

const atStart: Progress = { done: 0, all: null };

/** A long task with visible progress. It can be started, cancelled while it runs, and retried. */
export const transferMachine = setup({
  // XState infers the types of context, events and input from these casts. They hold no values.
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
    idle: { on: { start: "running" } },
    running: {
      entry: assign({ progress: atStart, fault: null }),
      on: {
        progress: { actions: assign({ progress: ({ event }) => event.progress }) },
        cancel: "cancelled",
      },
      invoke: {
        src: "work",
        input: ({ context: { work }, self }) => ({
          work,
          report: (progress: Progress) => self.send({ type: "progress", progress }),
        }),
        onDone: "done",
        onError: { target: "failed", actions: assign({ fault: ({ event }) => event.error }) },
      },
    },
    done: { on: { start: "running" } },
    failed: { on: { start: "running", cancel: "cancelled" } },
    cancelled: { on: { start: "running" } },
  },
});
