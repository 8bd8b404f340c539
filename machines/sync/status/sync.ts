import { assign } from "xstate";
import { contact, head, link } from "./sync-link";
import { outbox } from "./sync-outbox";
import { syncSetup } from "./sync-setup";

/**
 * How one open document stands with the log. `link` is the way to it, `contact` how long the way
 * has been missing, `head` whether the page may have missed something, `outbox` what is on the way,
 * and the other regions what the person may do and what the device can keep.
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
    // A region of its own, because others have something to do at the same events.
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
          // A device that is full may not answer either; that it is full tells what can be done.
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
