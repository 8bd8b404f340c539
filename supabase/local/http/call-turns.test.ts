import { expect, test } from "vitest";
import { CallTurns, mostAppendCalls, mostCalls, mostReads } from "./call-turns";

/** Starts a call whose response and disconnection the test controls. */
function call(turns: CallTurns, payer: string) {
  const connection = new AbortController();
  let begun = false;
  let answer = () => undefined as void;
  const response = turns.take(payer, connection.signal, () => {
    begun = true;
    return new Promise<Response>((settle) => (answer = () => settle(new Response("[]"))));
  });
  return {
    response,
    isBegun: () => begun,
    answer: () => answer(),
    end: () => connection.abort("left"),
  };
}

/** Lets released calls continue. */
const settled = () => new Promise((settle) => setImmediate(settle));

test("[API-20] an account has four calls answered at a time, beside those of others", async () => {
  const turns = new CallTurns(mostCalls);
  const calls = Array.from({ length: 6 }, () => call(turns, "mallory"));
  const other = call(turns, "ana");
  await settled();
  expect(calls.filter(({ isBegun }) => isBegun())).toHaveLength(4);
  expect(other.isBegun()).toBe(true);
  expect(turns.waiting).toBe(2);
  calls[0]?.answer();
  await calls[0]?.response;
  await settled();
  expect(calls.filter(({ isBegun }) => isBegun())).toHaveLength(5);
});

test("[API-20] unread answers keep only their own account waiting, until their connections end", async () => {
  const turns = new CallTurns(mostCalls);
  const unread = Array.from({ length: 8 }, () => call(turns, "mallory"));
  for (const one of unread) {
    await settled();
    one.answer();
    expect((await one.response)?.status).toBe(200);
  }
  const [next, other] = [call(turns, "mallory"), call(turns, "ana")];
  await settled();
  expect([next.isBegun(), other.isBegun(), turns.waiting]).toEqual([false, true, 1]);
  unread[3]?.end();
  await settled();
  expect([next.isBegun(), turns.waiting]).toEqual([true, 0]);
});

test("[API-20] a disconnected caller stops waiting, and calls beyond the queue are refused", async () => {
  const turns = new CallTurns(mostCalls);
  const calls = Array.from({ length: 208 }, () => call(turns, "mallory"));
  await settled();
  // Four calls are being answered, four wait to be read, and the rest wait for those eight.
  expect(turns.waiting).toBe(204);
  const refused = await call(turns, "mallory").response;
  expect([refused?.status, refused?.headers.get("retry-after")]).toEqual([429, "1"]);
  for (const { end } of calls.slice(4)) end();
  expect(await Promise.all(calls.slice(4).map(({ response }) => response))).toEqual(
    Array.from({ length: 204 }, () => null),
  );
  expect(turns.waiting).toBe(0);
});

test("[API-20] a caller that disconnects as room is made keeps no place", async () => {
  const turns = new CallTurns(mostCalls);
  const unread = Array.from({ length: 8 }, () => call(turns, "mallory"));
  for (const one of unread) {
    await settled();
    one.answer();
    await one.response;
  }
  const leaving = call(turns, "mallory");
  await settled();
  unread[0]?.end();
  leaving.end();
  expect(await leaving.response).toBeNull();
  const next = call(turns, "mallory");
  await settled();
  expect(next.isBegun()).toBe(true);
});

test("[API-22] all accounts have six calls answered at a time, and the one with the fewest is next", async () => {
  const turns = new CallTurns(mostCalls);
  const calls = ["a", "a", "a", "a", "b", "b"].map((payer) => call(turns, payer));
  const late = [call(turns, "b"), call(turns, "c")];
  await settled();
  expect(calls.every(({ isBegun }) => isBegun())).toBe(true);
  expect(late.map(({ isBegun }) => isBegun())).toEqual([false, false]);
  calls[0]?.answer();
  await settled();
  expect(late.map(({ isBegun }) => isBegun())).toEqual([false, true]);
});

test("[API-22] an account has three log reads answered at a time, and all accounts six", async () => {
  const turns = new CallTurns(mostReads);
  const calls = ["a", "b", "c"].map((payer) => Array.from({ length: 5 }, () => call(turns, payer)));
  await settled();
  const begun = () => calls.map((own) => own.filter(({ isBegun }) => isBegun()).length);
  expect(begun()).toEqual([3, 3, 0]);
  calls[0]?.[0]?.answer();
  await settled();
  expect(begun()).toEqual([3, 3, 1]);
});

test("[API-22] an account has four appends at a time, however many accounts append", async () => {
  const turns = new CallTurns(mostAppendCalls);
  const calls = ["a", "b", "c"].flatMap((payer) =>
    Array.from({ length: 5 }, () => call(turns, payer)),
  );
  await settled();
  expect(calls.filter(({ isBegun }) => isBegun())).toHaveLength(12);
});

test("[API-72] each piece of a call's work takes a turn, and the rest is dropped on disconnection", async () => {
  const turns = new CallTurns({ answered: 1, together: 1, unread: 8 });
  const connection = new AbortController();
  const done: number[] = [];
  let end = () => undefined as void;
  const pieces = turns.each("mallory", connection.signal, async (inTurn) => {
    for (let piece = 0; piece < 100; piece += 1)
      await inTurn(async () => {
        done.push(piece);
        await new Promise<void>((settle) => (end = settle));
      });
    return new Response("[]");
  });
  await settled();
  const other = call(turns, "ana");
  await settled();
  expect([done, other.isBegun()]).toEqual([[0], false]);
  end();
  await settled();
  // The other account gets its turn between two pieces of work.
  expect([done, other.isBegun()]).toEqual([[0], true]);
  other.answer();
  await settled();
  expect(done).toEqual([0, 1]);
  connection.abort("left");
  end();
  expect(await pieces).toBeNull();
  expect([done, turns.waiting]).toEqual([[0, 1], 0]);
});
