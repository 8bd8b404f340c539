import { expect, it } from "vitest";
import { AppendTurns, mostAppends } from "./append-turns";
import type { AppendKeys, ReleaseAppend } from "./append-turns";

const patient = () => new AbortController().signal;

/** Starts an append, which waits for a turn or has one. */
function append(turns: AppendTurns, keys: Partial<AppendKeys> & { account: string }) {
  const patience = new AbortController();
  const state: { release: ReleaseAppend | null; isLate: boolean } = {
    release: null,
    isLate: false,
  };
  const whole = {
    stream: `stream of ${keys.account}`,
    workspace: null,
    throughRest: false,
    ...keys,
  };
  const settled = turns.take(whole, patience.signal).then((release) => {
    state.release = release;
    state.isLate = release === null;
  });
  return { state, settled, giveUp: () => patience.abort("late") };
}
/** Lets admitted appends continue. */
const turned = () => new Promise((settle) => setImmediate(settle));

it("[API-90] two appends of a stream and three of a workspace run at a time, from any accounts", async () => {
  const turns = new AppendTurns();
  const one = Array.from({ length: 12 }, (_, at) =>
    append(turns, { account: `account ${at}`, stream: "one", workspace: "w" }),
  );
  const same = Array.from({ length: 4 }, (_, at) =>
    append(turns, { account: `account ${at}`, stream: `of w ${at}`, workspace: "w" }),
  );
  const other = append(turns, { account: "account 0", stream: "two", workspace: "v" });
  await turned();
  expect(one.filter(({ state }) => state.release)).toHaveLength(mostAppends.stream);
  expect(same.filter(({ state }) => state.release)).toHaveLength(1);
  expect(other.state.release).not.toBeNull();
  expect(turns.waiting).toBe(13);
});

it("[API-90] four appends through REST run at a time, and others beside them", async () => {
  const turns = new AppendTurns();
  const slow = Array.from({ length: 6 }, (_, at) =>
    append(turns, { account: `account ${at}`, throughRest: true }),
  );
  const other = append(turns, { account: "ana" });
  await turned();
  const admitted = () => slow.filter(({ state }) => state.release).length;
  expect([admitted(), other.state.release !== null]).toEqual([mostAppends.throughRest, true]);
  slow[0]?.state.release?.("answered");
  await turned();
  expect(admitted()).toBe(mostAppends.throughRest + 1);
});

it("[API-90] four appends of an account run at a time, and twelve of all", async () => {
  const turns = new AppendTurns();
  const of = (account: string) => (at: number) =>
    append(turns, { account, stream: `${account} ${at}` });
  const own = Array.from({ length: 6 }, (_, at) => of("mallory")(at));
  await turned();
  expect(own.filter(({ state }) => state.release)).toHaveLength(4);
  const others = Array.from({ length: 10 }, (_, at) => of(`account ${at}`)(at));
  await turned();
  expect(others.filter(({ state }) => state.release)).toHaveLength(8);
});

it("[API-90] a free turn goes to the account with the fewest, then to the append that waits longest", async () => {
  const turns = new AppendTurns();
  const held = Array.from({ length: 12 }, (_, at) =>
    append(turns, { account: at < 4 ? "mallory" : `account ${at}`, stream: `stream ${at}` }),
  );
  await turned();
  held[3]?.state.release?.("answered");
  const [refill] = [append(turns, { account: "ana", stream: "ana" })];
  await turned();
  expect(refill.state.release).not.toBeNull();
  const greedy = append(turns, { account: "mallory", stream: "next" });
  const [first, second] = [
    append(turns, { account: "ben", stream: "ben" }),
    append(turns, { account: "carol", stream: "carol" }),
  ];
  held[4]?.state.release?.("answered");
  await turned();
  expect([greedy, first, second].map(({ state }) => state.release !== null)).toEqual([
    false,
    true,
    false,
  ]);
});

it("[API-90] a stream or workspace that kept an append too long has one turn until one is answered", async () => {
  const turns = new AppendTurns();
  const keys = { stream: "one", workspace: "w" };
  const [first] = [append(turns, { account: "ana", ...keys })];
  await turned();
  first.state.release?.("timed-out");
  const next = ["ben", "carol"].map((account) => append(turns, { account, ...keys }));
  const beside = append(turns, { account: "ana", stream: "two", workspace: "w" });
  await turned();
  expect([...next, beside].map(({ state }) => state.release !== null)).toEqual([
    true,
    false,
    false,
  ]);
  next[0]?.state.release?.("answered");
  await turned();
  expect([next[1], beside].map((entry) => entry?.state.release !== null)).toEqual([true, true]);
});

it("[API-90] an append that waits too long gets no turn, and takes none from others", async () => {
  const turns = new AppendTurns();
  const keys = { account: "ana", stream: "one" };
  const held = [append(turns, keys), append(turns, keys)];
  const late = append(turns, keys);
  const next = append(turns, keys);
  await turned();
  late.giveUp();
  await late.settled;
  expect(late.state.isLate).toBe(true);
  held[0]?.state.release?.("answered");
  held[0]?.state.release?.("answered");
  await turned();
  expect([next.state.release !== null, turns.waiting]).toEqual([true, 0]);
  expect(
    await turns.take({ ...keys, workspace: null, throughRest: false }, AbortSignal.abort()),
  ).toBeNull();
});

it("[API-90] five hundred appends wait at most", async () => {
  const turns = new AppendTurns();
  const keys = { account: "ana", stream: "one", workspace: null, throughRest: false };
  const waiting = Array.from({ length: 502 }, () => turns.take(keys, patient()));
  expect(turns.waiting).toBe(500);
  expect(await turns.take(keys, patient())).toBeNull();
  expect(waiting).toHaveLength(502);
});
