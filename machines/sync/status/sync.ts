import { assign } from "xstate";
import { contact, head, link } from "./sync-link";
import { outbox } from "./sync-outbox";
import { syncSetup } from "./sync-setup";

/**
 * The sync state of one open document. `link` is the connection to the log, `contact` how long the
 * connection has been missing, `head` whether the page may have missed events, and `outbox` the
 * edits to send. The other regions hold the person's access and whether the device can store edits.
 */
export const syncMachine = syncSetup.createMachine({
  id: "sync",
  type: "parallel",
  context: {
    pending: 0,
    orphaned: 0,
    unreadable: 0,
    elsewhere: "unasked",
    full: false,
    refusal: null,
    failures: 0,
    misses: 0,
    trouble: "silence",
    network: true,
    again: false,
    accepted: true,
    delay: 0,
  },
  on: {
    counted: {
      actions: assign(({ event: { pending, orphaned, unreadable } }) => ({
        pending,
        orphaned,
        unreadable,
      })),
    },
    looked: { actions: assign({ elsewhere: ({ event }) => event.elsewhere }) },
    slowed: { actions: assign({ delay: ({ event }) => event.delay }) },
    failed: { guard: "foremost", actions: assign({ trouble: ({ event }) => event.trouble }) },
  },
  states: {
    link,
    contact,
    head,
    outbox,
    // A separate region, because other regions handle the same events.
    network: {
      on: {
        offline: { actions: ["silent", assign({ network: false })] },
        online: { actions: assign({ network: true }) },
      },
    },
    session: {
      initial: "present",
      states: {
        present: { on: { "session.ended": "ended" } },
        ended: { on: { "session.restored": "present", "caught.up": "present" } },
      },
    },
    access: {
      initial: "asked",
      on: {
        "access.changed": [
          {
            guard: ({ event }) => event.access === "write",
            target: ".write",
            actions: assign({ accepted: true }),
          },
          {
            guard: ({ event }) => event.access === "read",
            target: ".read",
            actions: assign({ accepted: true }),
          },
          { target: ".none", actions: assign({ accepted: false }) },
        ],
      },
      states: { asked: {}, write: {}, read: {}, none: {} },
    },
    storage: {
      initial: "device",
      on: {
        "storage.failed": {
          target: ".memory",
          // A full device may also stop answering. `full` stays set, because it decides what the
          // person can do.
          actions: assign({ full: ({ context, event }) => context.full || event.full }),
        },
      },
      states: {
        device: {},
        memory: {
          on: { "storage.restored": { target: "device", actions: assign({ full: false }) } },
        },
      },
    },
  },
});
