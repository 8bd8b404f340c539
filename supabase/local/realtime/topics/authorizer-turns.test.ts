import { expect, it } from "vitest";
import type { AccessContext, Authorizer } from "../authorizer";
import { settled } from "../fake-client";
import { inTurns, policyConnections } from "./authorizer-turns";

const context = (sub: string): AccessContext => ({
  topic: "document:d:0",
  claims: { sub, role: "authenticated", exp: 0 },
  headers: {},
});

/** Creates an authorizer whose queries the test answers, in their order. */
function slowAuthorizer() {
  const open: { who: unknown; answer: () => void }[] = [];
  const ask = <T>(who: unknown, rights: T) =>
    new Promise<T>((resolve) => open.push({ who, answer: () => resolve(rights) }));
  const authorizer: Authorizer = {
    read: ({ claims }) => ask(claims.sub, { broadcast: true, presence: true }),
    write: ({ claims }) => ask(claims.sub, { broadcast: true, presence: true }),
  };
  return { authorizer, open };
}

it("[RT-123] serves another account at once, however many joins of one account wait", async () => {
  const { authorizer, open } = slowAuthorizer();
  const fair = inTurns(authorizer);
  const many = Array.from({ length: 400 }, () => fair.read(context("mallory"), true));
  await settled();
  expect(open).toHaveLength(policyConnections.perAccount);
  const joined = Promise.all([fair.read(context("ana"), true), fair.write(context("ben"))]);
  await settled();
  expect(open.map(({ who }) => who)).toEqual(["mallory", "mallory", "ana", "ben"]);
  for (const { answer } of open.splice(2)) answer();
  await joined;
  for (let asked = open.shift(); asked !== undefined; asked = open.shift()) {
    asked.answer();
    await settled();
    expect(open.length).toBeLessThanOrEqual(policyConnections.perAccount);
  }
  expect(await Promise.all(many)).toHaveLength(400);
});

it("[RT-123] passes the turn on when the policies cannot be asked", async () => {
  const failing: Authorizer = {
    read: () => Promise.reject(new Error("away")),
    write: () => Promise.reject(new Error("away")),
  };
  const fair = inTurns(failing, { perAccount: 1, overall: 1 });
  for (let asked = 0; asked < 3; asked += 1)
    await expect(fair.read(context("ana"), false)).rejects.toThrow("away");
});
