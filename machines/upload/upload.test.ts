import { expect, it, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { UploadError, uploadMachine } from "./upload";
import type { UploadSteps } from "./upload";

function started(changed: Partial<UploadSteps> = {}) {
  const asked: string[] = [];
  const steps: UploadSteps = {
    claim: async () => "mine",
    onGone: () => () => undefined,
    begin: async () => {
      asked.push("begin");
      return { address: "a" };
    },
    send: async (address, onSent) => {
      asked.push(`send ${address}`);
      onSent(7);
    },
    settle: async () => void asked.push("settle"),
    onConnection: () => () => undefined,
    ...changed,
  };
  const actor = createActor(uploadMachine, { input: { steps, bytes: 9 } });
  actor.start();
  return { actor, asked };
}
const state = (actor: ReturnType<typeof started>["actor"], value: string) =>
  waitFor(actor, (snapshot) => snapshot.matches(value as "done"));

it("[FILE-30] is begun, sent and settled, and reports its progress", async () => {
  const { actor, asked } = started();
  const { context } = await state(actor, "done");
  expect([asked, context.sent]).toEqual([["begin", "send a", "settle"], 7]);
});

it("[FILE-31] waits for a connection and begins again", async () => {
  let connect = () => {};
  const send = vi.fn<UploadSteps["send"]>();
  send.mockRejectedValueOnce(new UploadError("offline"));
  const { actor, asked } = started({
    send,
    onConnection: (listener) => {
      connect = listener;
      return () => undefined;
    },
  });
  await state(actor, "offline");
  connect();
  await state(actor, "done");
  expect(asked).toEqual(["begin", "begin", "settle"]);
});

it("[FILE-30] reports why it failed, and can be tried again", async () => {
  const settle = vi.fn<UploadSteps["settle"]>();
  settle.mockRejectedValueOnce(new UploadError({ message: "No room.", final: false }));
  settle.mockRejectedValueOnce(new TypeError("x of undefined"));
  const { actor } = started({ settle });
  const { context } = await state(actor, "failed");
  expect(context.failure).toEqual({ message: "No room.", final: false });
  actor.send({ type: "retry" });
  await waitFor(actor, (now) => settle.mock.calls.length === 2 && now.matches("failed"));
  expect(actor.getSnapshot().context.failure?.message).toMatch(/kept on this device/);
  actor.send({ type: "retry" });
  await state(actor, "done");
});

it("[FILE-30] can be cancelled while it sends, and makes no more requests", async () => {
  const signals: AbortSignal[] = [];
  const { actor, asked } = started({
    send: (_address, _onSent, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  });
  await waitFor(actor, () => signals.length === 1);
  actor.send({ type: "cancel" });
  await state(actor, "cancelled");
  expect([signals[0]?.aborted, asked]).toEqual([true, ["begin"]]);
});
