import { assign, raise } from "xstate";
import { syncSetup } from "./sync-setup";

/** The edits that wait for the log or are being sent. */
export const outbox = syncSetup.createStateConfig({
  initial: "empty",
  states: {
    empty: { on: { edited: "waiting" } },
    waiting: {
      initial: "gathering",
      on: { flush: "sending" },
      states: {
        gathering: { after: { flush: "#sync.outbox.sending" } },
        held: {
          after: { held: "#sync.outbox.sending" },
          on: { "caught.up": "#sync.outbox.sending", edited: "gathering" },
        },
      },
    },
    sending: {
      after: { late: { actions: "doubt" }, silence: { actions: ["unsent", "raiseSendSilent"] } },
      invoke: {
        src: "send",
        onDone: [
          {
            guard: ({ event }) => event.output.kind === "empty",
            target: "empty",
            actions: ["sent", "raiseAnswered"],
          },
          {
            guard: ({ event }) => event.output.kind === "more",
            target: "waiting",
            actions: ["sent", "raiseAnswered"],
          },
          {
            guard: ({ event }) => event.output.kind === "waiting",
            target: "waiting.held",
            actions: "sent",
          },
          {
            guard: ({ event }) => event.output.kind === "signed-out",
            target: "refused",
            actions: [assign({ refusal: null }), raise({ type: "session.ended" })],
          },
          {
            target: "refused",
            actions: [
              assign({
                failures: 0,
                refusal: ({ event }) =>
                  event.output.kind === "refused" ? event.output.refusal : null,
              }),
              "raiseAnswered",
            ],
          },
        ],
        onError: {
          target: "retrying",
          actions: [
            "unsent",
            { type: "raiseSendFailed", params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    retrying: {
      after: { resend: "sending" },
      on: { "caught.up": "sending", flush: "sending", retry: "sending", online: "sending" },
    },
    refused: {
      on: {
        retry: "sending",
        "session.restored": "sending",
        // A successful read without a recorded refusal means that the person has signed in again.
        "caught.up": { guard: "signedOut", target: "sending" },
        "access.changed": { guard: ({ event }) => event.access === "write", target: "sending" },
      },
    },
  },
});
