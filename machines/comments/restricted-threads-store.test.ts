import { expect, it } from "vitest";
import { seededRandom, VirtualClock } from "@/events/core/virtual-clock.fixture";
import type { Outcome } from "@/events/log/live-stream";
import { StoreFault } from "@/events/log/store";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { commentThreadsOf } from "../comment-thread";
import { anchor } from "./threads-world.fixture";
import { RestrictedThreadsStore } from "./restricted-threads-store";

const list = { phase: "live", version: 7, threads: [], comments: [] };

/** Opens a page whose server answers every action with `outcome`, or throws it. */
function pageWith(outcome: Outcome | StoreFault) {
  const refusals: string[] = [];
  const faults: StoreFault[] = [];
  const sent: OptimisticEvent[][] = [];
  let recorded = 0;
  const store = new RestrictedThreadsStore({
    documentId: "atlas",
    userId: "ana",
    clock: new VirtualClock(),
    random: seededRandom(3),
    onRefused: (sentence) => refusals.push(sentence),
    onUnsure: (fault) => faults.push(fault),
  });
  const answer = async (events: readonly OptimisticEvent[]) => {
    sent.push([...events]);
    if (outcome instanceof StoreFault) throw outcome;
    return outcome;
  };
  const connect = () =>
    store.connect({
      append: answer,
      open: ({ opened, added }) => answer([opened, added]),
      onRecorded: () => (recorded += 1),
    });
  const words = (version = list.version) =>
    commentThreadsOf(store.foldOn({ ...list, version })).map(({ comments }) =>
      comments.map(({ text }) => text),
    );
  return { store, connect, words, refusals, faults, sent, recorded: () => recorded };
}

it("[COMMENT-15] shows a new thread at once, and until the server's list includes it", async () => {
  const page = pageWith({ ok: true, version: 9 });
  page.connect();
  const { done } = page.store.actions.open(anchor, "A question");
  expect(page.words()).toEqual([["A question"]]);
  expect(await done).toEqual({ ok: true, version: 9 });
  expect(page.recorded()).toBe(1);
  expect(page.words(8)).toEqual([["A question"]]);
  // A list of version 9 has the thread itself.
  expect(page.words(9)).toEqual([]);
  expect(page.sent[0]?.map(({ type }) => type)).toEqual(["thread.opened", "comment.added"]);
});

it("removes a comment that the database refuses, and says why", async () => {
  const page = pageWith({ ok: false, refusal: { name: "not-permitted", detail: "" } });
  page.connect();
  const { done } = page.store.actions.open(anchor, "A question");
  expect(page.words()).toEqual([["A question"]]);
  expect((await done).ok).toBe(false);
  expect(page.words()).toEqual([]);
  expect(page.refusals).toHaveLength(1);
  expect(page.recorded()).toBe(0);
});

it.each([true, false])(
  "removes a comment without a ruling (connected: %s)",
  async (isConnected) => {
    const page = pageWith(new StoreFault("no answer", 0));
    if (isConnected) page.connect();
    const { done } = page.store.actions.open(anchor, "A question");
    expect(page.words()).toEqual([["A question"]]);
    expect((await done).ok).toBe(false);
    expect(page.words()).toEqual([]);
    expect([page.refusals.length, page.faults.length]).toEqual([0, 1]);
  },
);
