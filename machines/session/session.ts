import { assign } from "xstate";
import type { Session } from "@/events/auth/auth";
import type { Attempt, SessionEvent, SessionOptions } from "./session-events";
import { sessionSetup } from "./session-setup";

/** A person's session in one tab. Every auth change is recorded once in the account's stream. */
export function sessionMachine(options: SessionOptions) {
  return sessionSetup(options).createMachine({
    id: "session",
    context: {
      session: null,
      ended: null,
      replaced: null,
      refusal: null,
      confirm: false,
      scope: "local",
    },
    invoke: [
      { id: "log", src: "log" },
      { id: "watch", src: "watch" },
    ],
    initial: "away",
    states: {
      away: {
        initial: "restoring",
        on: {
          attempt: ".signingIn",
          // The end of the session was reported before the answer that gives its reason.
          forgotten: { guard: "hadEnded", target: ".left", actions: ["forget", "leave"] },
          noticed: [
            {
              guard: "recovering",
              target: "present.passwordRecovery",
              actions: ["enqueueArrival", "enqueueChange", "welcome", "speak"],
            },
            {
              guard: "arrived",
              target: "present",
              actions: ["enqueueArrival", "welcome", "speak"],
            },
          ],
        },
        states: {
          restoring: { on: { noticed: { guard: "foundNobody", target: "signedOut" } } },
          signedOut: {},
          signingIn: {
            entry: assign({ refusal: null, confirm: false }),
            invoke: {
              src: "attempt",
              input: ({ event }) => attemptIn(event),
              onDone: [
                { guard: "isHere", target: "#session.present", actions: "refuse" },
                { guard: "hadEnded", target: "ended", actions: "refuse" },
                { target: "signedOut", actions: "refuse" },
              ],
              onError: [
                { guard: "isHere", target: "#session.present", actions: "refuse" },
                { guard: "hadEnded", target: "ended", actions: "refuse" },
                { target: "signedOut", actions: "refuse" },
              ],
            },
          },
          /** The session ended while the page was open. The page keeps the typed text. */
          ended: {},
          /** The person signed out here, and the page is about to close. */
          left: {},
        },
      },

      present: {
        initial: "signedIn",
        on: {
          attempt: "away.signingIn",
          forgotten: ".signingOut.forgetting",
          "sign.out": {
            target: ".signingOut",
            actions: assign({ scope: ({ event }) => event.scope, refusal: null }),
          },
          noticed: [
            {
              guard: "leftElsewhere",
              target: "away.ended",
              actions: ["enqueueDeparture", "end", "hush"],
            },
            {
              guard: "recovering",
              target: ".passwordRecovery",
              actions: ["enqueueArrival", "enqueueChange", "welcome", "speak"],
            },
            { guard: "updated", actions: ["enqueueChange", "welcome", "flush"] },
            {
              guard: "refreshed",
              target: ".signedIn.fresh",
              actions: ["enqueueChange", "welcome", "flush"],
            },
            { guard: "arrived", actions: ["enqueueArrival", "welcome", "speak"] },
          ],
        },
        states: {
          signedIn: {
            initial: "fresh",
            on: { rejected: ".refreshing.asking" },
            states: {
              fresh: { after: { due: "refreshing" } },
              // The client renews tokens by itself unless the browser suspends it. A renewal is
              // recorded like any other change.
              refreshing: {
                initial: "waiting",
                states: {
                  waiting: { after: { patience: "asking" } },
                  asking: {
                    invoke: {
                      src: "refresh",
                      onDone: [
                        // The client's storage was cleared, which the client does not report. No
                        // session is left to renew.
                        {
                          guard: "sessionMissing",
                          target: "#session.away.ended",
                          actions: ["enqueueDeparture", "end", "hush"],
                        },
                        { target: "asked" },
                      ],
                      onError: "asked",
                    },
                  },
                  asked: { after: { pause: "asking" } },
                },
              },
            },
          },
          passwordRecovery: {
            on: {
              noticed: [
                {
                  guard: "passwordSet",
                  target: "signedIn",
                  actions: ["enqueueChange", "welcome", "flush"],
                },
                { guard: "refreshed", actions: ["enqueueChange", "welcome", "flush"] },
              ],
            },
          },
          signingOut: {
            initial: "saying",
            // The client reports "signed out" to every tab, including this one, before it answers.
            on: { noticed: { guard: "leftElsewhere" }, "sign.out": {}, attempt: {}, forgotten: {} },
            states: {
              saying: {
                entry: "enqueueDeparture",
                invoke: {
                  src: "deliver",
                  input: ({ context }) => present(context.session),
                  onDone: "leaving",
                  onError: "leaving",
                },
                after: { patience: "leaving" },
              },
              /** The account is deleted. Nothing more is recorded, and nothing stays queued. */
              forgetting: {
                entry: "forget",
                invoke: {
                  src: "signOut",
                  input: "local",
                  onDone: { target: "#session.away.left", actions: ["leave", "hush"] },
                  onError: { target: "#session.away.left", actions: ["leave", "hush"] },
                },
              },
              leaving: {
                invoke: {
                  src: "signOut",
                  input: ({ context }) => context.scope,
                  onDone: [
                    {
                      guard: "stillIn",
                      target: "#session.present.signedIn",
                      actions: ["takeBackDeparture", "refuse"],
                    },
                    { target: "#session.away.left", actions: ["leave", "hush"] },
                  ],
                  onError: {
                    target: "#session.present.signedIn",
                    actions: ["takeBackDeparture", "refuse"],
                  },
                },
              },
            },
          },
        },
      },
    },
  });
}

function attemptIn(event: SessionEvent): Attempt {
  if (event.type !== "attempt")
    throw new Error(`Unexpected event for a sign-in attempt: ${event.type}`);
  return event.attempt;
}

function present(session: Session | null): Session {
  if (!session) throw new Error("Cannot sign out without a session");
  return session;
}
