import { expect, it } from "vitest";
import { createActor, waitFor } from "xstate";
import { transferMachine } from "./transfer";
import type { Work } from "./transfer";

const started = (work: Work) => {
  const actor = createActor(transferMachine, { input: { work } });
  actor.start();
  actor.send({ type: "start" });
  return actor;
};

it("[ACC-32] reports its progress and its end", async () => {
  const actor = started(async (report) => report({ done: 2, all: 2 }));
  const { context } = await waitFor(actor, (now) => now.matches("done"));
  expect(context.progress).toEqual({ done: 2, all: 2 });
});

it("[ACC-32] reports a failure, and can be tried again", async () => {
  const faults = [new Error("no network")];
  const actor = started(async () => {
    const fault = faults.pop();
    if (fault) throw fault;
  });
  const { context } = await waitFor(actor, (now) => now.matches("failed"));
  expect(context.fault).toEqual(new Error("no network"));
  actor.send({ type: "start" });
  expect((await waitFor(actor, (now) => now.matches("done"))).context.fault).toBeNull();
});

it("[ACC-32] can be cancelled while it runs, and aborts its work", async () => {
  const signals: AbortSignal[] = [];
  const actor = started((_report, signal) => {
    signals.push(signal);
    return new Promise(() => undefined);
  });
  await waitFor(actor, () => signals.length === 1);
  actor.send({ type: "cancel" });
  await waitFor(actor, (now) => now.matches("cancelled"));
  expect(signals[0]?.aborted).toBe(true);
});
