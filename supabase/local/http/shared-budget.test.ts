import { expect, test } from "vitest";
import { SharedBudget } from "./shared-budget";

const staying = new AbortController().signal;

/** Whether a promise has settled, regardless of the machine's load. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  return settled;
}

test("[DOOR-22] admits what fits, and makes only the same address wait", async () => {
  const budget = new SharedBudget({ perKey: 10, overall: 25 });
  const first = await budget.take("a", 6, staying);
  const second = budget.take("a", 6, staying);
  const small = await budget.take("a", 4, staying);
  expect(await isSettled(second)).toBe(false);
  const other = await budget.take("b", 10, staying);
  small();
  expect(await isSettled(second)).toBe(false);
  first();
  const release = await second;
  release();
  other();
  expect(budget.waiting).toBe(0);
});

test("[DOOR-22] limits all addresses together, and returns room once", async () => {
  const budget = new SharedBudget({ perKey: 10, overall: 15 });
  const a = await budget.take("a", 10, staying);
  const b = budget.take("b", 10, staying);
  expect(await isSettled(b)).toBe(false);
  a();
  a();
  await b;
  expect(await isSettled(budget.take("c", 10, staying))).toBe(false);
});

test("[DOOR-22] forgets a caller that disconnects while waiting", async () => {
  const budget = new SharedBudget({ perKey: 10, overall: 10 });
  const held = await budget.take("a", 10, staying);
  const leaving = new AbortController();
  const left = budget.take("a", 10, leaving.signal);
  const next = budget.take("a", 10, staying);
  leaving.abort();
  await expect(left).rejects.toThrow();
  held();
  await next;
  await expect(budget.take("a", 1, leaving.signal)).rejects.toThrow();
  expect(budget.waiting).toBe(0);
});
