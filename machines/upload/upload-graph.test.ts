import type { SnapshotFrom } from "xstate";
import { getAdjacencyMap } from "xstate/graph";
import { describe, expect, it } from "vitest";
import { UploadError, uploadMachine } from "./upload";
import type { UploadSteps } from "./upload";

type Snapshot = SnapshotFrom<typeof uploadMachine>;
type UploadEvent = Parameters<typeof uploadMachine.transition>[1];

const idle = () => new Promise<never>(() => undefined);
const steps: UploadSteps = {
  claim: idle,
  onGone: () => () => undefined,
  begin: idle,
  send: idle,
  settle: idle,
  onConnection: () => () => undefined,
};
const people = ["held", "gone", "connected", "retry", "cancel"].map((type) => ({ type }));
const faults = [new UploadError({ message: "No room.", final: false }), new UploadError("offline")];
const done = (actorId: string, output?: unknown) => ({
  type: `xstate.done.actor.${actorId}`,
  actorId,
  output,
});
const answered = [
  done("claim", "mine"),
  done("claim", "gone"),
  done("begin", { address: "a" }),
  done("send"),
  done("settle"),
  ...["claim", "begin", "send", "settle"].flatMap((actorId) =>
    faults.map((error) => ({ type: `xstate.error.actor.${actorId}`, actorId, error })),
  ),
];

const graph = getAdjacencyMap(uploadMachine, {
  input: { steps, bytes: 9 },
  // XState's own done and error events are not in the machine's event type.
  events: [...people, { type: "sent", bytes: 4 }, ...answered] as UploadEvent[],
  serializeState: ({ value, context }) =>
    JSON.stringify([value, context.sent, context.failure !== null]),
});
const states: Snapshot[] = Object.values(graph).map(({ state }) => state);
type Edge = { state: Snapshot; next: Snapshot; type: string };
const edges = Object.values(graph).flatMap(({ state, transitions }): Edge[] =>
  Object.values<{ event: { type: string }; state: Snapshot }>(transitions).map((step) => ({
    state,
    next: step.state,
    type: step.event.type,
  })),
);
/** Whether an upload has the claim. */
const isClaimed = (state: Snapshot) =>
  (["beginning", "sending", "settling", "offline"] as const).some((one) => state.matches(one));

describe("the graph of an upload", () => {
  it("reaches every state", () => {
    expect([...new Set(states.map(({ value }) => JSON.stringify(value)))].sort()).toEqual(
      [
        { claiming: "asking" },
        { claiming: "waiting" },
        ...["beginning", "sending", "settling", "offline", "failed", "done", "cancelled"],
      ]
        .map((value) => JSON.stringify(value))
        .sort(),
    );
  });

  it("[FILE-37] begins only with the claim, and claims again after a failure", () => {
    for (const { state, next, type } of edges) {
      if (isClaimed(next) && !isClaimed(state)) expect(type).toBe("xstate.done.actor.claim");
      if (state.matches("failed") && type === "retry")
        expect(next.value).toEqual({ claiming: "asking" });
    }
  });

  it("[FILE-37] a file that is gone ends the upload: done without the claim, cancelled with it", () => {
    for (const { state, next, type } of edges) {
      if (type !== "gone" || state.status === "done") continue;
      expect(next.value).toBe(isClaimed(state) ? "cancelled" : "done");
    }
  });

  it("[FILE-30] can be cancelled in every state, and shows a failure only where it failed", () => {
    for (const { state, next, type } of edges)
      if (type === "cancel" && state.status === "active") expect(next.value).toBe("cancelled");
    for (const state of states)
      if (state.status === "active")
        expect(state.context.failure !== null).toBe(state.matches("failed"));
  });
});
