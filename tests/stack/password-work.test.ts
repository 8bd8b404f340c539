import { performance } from "node:perf_hooks";
import bcrypt from "bcryptjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signInAgain, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let stack: TestBackend;
beforeAll(async () => {
  stack = await testBackend();
});
afterAll(() => stack.stop());

const send = (
  path: string,
  body: object,
  { method = "POST", token }: { method?: string; token?: string } = {},
) =>
  fetch(`${stack.url}/auth/v1/${path}`, {
    method,
    headers: {
      apikey: stack.keys.publishableKey,
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
const changePassword = (token: string, password: string) =>
  send("user", { password }, { method: "PUT", token });
const signIn = (email: string) =>
  send("token?grant_type=password", { email, password: "a wrong password" });

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

test("[API-60] passwords are hashed outside the main thread", async () => {
  const people: Person[] = [];
  for (const name of times(6, (index) => `Person ${index}`)) people.push(await signUp(stack, name));
  const tokens = await Promise.all(people.map((person) => person.accessToken()));
  // A hash on this thread, measured by the same clock as the calls: the time in which the thread
  // answers no request.
  const before = performance.eventLoopUtilization();
  const costly = bcrypt.genSaltSync(10);
  bcrypt.hashSync("a password", costly);
  bcrypt.hashSync("a password", costly);
  await new Promise(setImmediate);
  const oneHash = performance.eventLoopUtilization(before).active / 2;

  const begun = performance.eventLoopUtilization();
  const answers = await Promise.all([
    ...tokens.flatMap((token, person) =>
      times(3, (index) => changePassword(token, `the password ${person} ${index}`)),
    ),
    ...times(6, (index) => signIn(`nobody.${index}@example.com`)),
  ]);
  const spent = performance.eventLoopUtilization(begun).active;
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 18)).toEqual(times(18, () => 200));
  expect(statuses.slice(18)).toEqual(times(6, () => 400));
  // A password change compares and hashes, and a sign-in compares: 42 operations in all.
  expect(spent).toBeLessThan(oneHash * 14);
});

test("[API-60] [API-61] 24 password changes of one account delay no other person’s sign-in", async () => {
  const mallory = await signUp(stack, "Mallory");
  const ana = await signUp(stack, "Ana");
  const token = await mallory.accessToken();
  let answered = 0;
  const changes = times(24, async (index) => {
    const { status } = await changePassword(token, `the ${index}th password`);
    answered += 1;
    return status;
  });
  await signInAgain(stack, ana);
  const before = answered;
  const statuses = await Promise.all(changes);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(14);
  expect(before).toBeLessThan(24);
});

test("[API-61] changes of password are limited per account", async () => {
  const ana = await signUp(stack, "Ana");
  const ben = await signUp(stack, "Ben");
  const token = await ana.accessToken();
  const statuses: number[] = [];
  for (let index = 0; index < 11; index += 1)
    statuses.push((await changePassword(token, `the ${index}th password`)).status);
  expect(statuses).toEqual([...times(10, () => 200), 429]);
  expect((await changePassword(await ben.accessToken(), "another password")).status).toBe(200);
});
