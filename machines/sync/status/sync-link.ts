import { assign } from "xstate";
import { syncSetup } from "./sync-setup";

/** One read without a channel. The next read follows after a pause, whatever the result. */
const reading = syncSetup.createStateConfig({
  entry: assign({ again: false }),
  on: { doubted: { actions: assign({ again: true }) } },
  after: { silence: { actions: "raiseReadSilent" } },
  invoke: {
    src: "catchUp",
    onDone: [
      { guard: "again", target: "reading", reenter: true, actions: "read" },
      { target: "resting", actions: ["read", "raiseCaughtUp"] },
    ],
    onError: {
      target: "resting",
      actions: [
        "unread",
        { type: "raiseReadFailed", params: ({ event }) => ({ error: event.error }) },
      ],
    },
  },
});

/** The connection to the log: a channel that brings notices, and reads without a notice. */
export const link = syncSetup.createStateConfig({
  initial: "offline",
  on: {
    "link.lost": ".offline",
    "link.connecting": ".connecting",
    "link.joined": ".catchingUp.reading",
  },
  states: {
    // The log may be reachable when the channel is not, so it is polled without a channel.
    offline: {
      initial: "resting",
      states: {
        resting: {
          after: { alone: { guard: "accepted", target: "reading" } },
          on: {
            online: { guard: "accepted", target: "reading" },
            doubted: { guard: "accepted", target: "reading" },
          },
        },
        reading,
      },
    },
    connecting: {
      initial: "reading",
      states: {
        resting: { after: { alone: "reading" }, on: { online: "reading", doubted: "reading" } },
        reading,
      },
    },
    catchingUp: {
      initial: "reading",
      on: {
        "log.noticed": { actions: assign({ again: true }) },
        doubted: { actions: assign({ again: true }) },
      },
      states: {
        gathering: { after: { gather: "reading" } },
        reading: {
          entry: assign({ again: false }),
          after: { silence: { actions: "raiseReadSilent" } },
          invoke: {
            src: "catchUp",
            onDone: [
              { guard: "again", target: "reading", reenter: true, actions: "read" },
              { target: "#sync.link.live", actions: ["read", "raiseCaughtUp"] },
            ],
            onError: {
              target: "pausing",
              actions: [
                "unread",
                { type: "raiseReadFailed", params: ({ event }) => ({ error: event.error }) },
              ],
            },
          },
        },
        pausing: { after: { reread: "reading" }, on: { online: "reading" } },
      },
    },
    live: {
      // A notice can be lost, so the log is also polled.
      after: { poll: "catchingUp.reading" },
      on: {
        "log.noticed": "catchingUp.gathering",
        // The channel's socket may outlive the network, or seem to. A read shows whether it does.
        offline: "catchingUp.reading",
        online: "catchingUp.reading",
        doubted: "catchingUp.reading",
      },
    },
  },
});

/** How long the connection has been missing. The person is notified only after a while. */
export const contact = syncSetup.createStateConfig({
  initial: "brief",
  on: {
    answered: ".made",
    // A successful read does not show that a failed send would succeed.
    "caught.up": { guard: "sendable", target: ".made" },
  },
  states: {
    made: {
      on: {
        "link.lost": { target: "brief", actions: "silent" },
        "link.connecting": { target: "brief", actions: "silent" },
        offline: "brief",
        failed: "brief",
      },
    },
    // If the browser reports no network, waiting would not help.
    brief: { after: { grace: "missing" }, on: { offline: "missing" } },
    missing: {},
  },
});

/**
 * Whether the page shows the log's newest state, as far as it can know. A page that was suspended
 * receives no notice of the events that it missed.
 */
export const head = syncSetup.createStateConfig({
  initial: "known",
  states: {
    known: { on: { doubted: "doubtful" } },
    doubtful: { on: { "caught.up": "known" } },
  },
});
