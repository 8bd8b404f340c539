import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { callerOf, hasExpired } from "../auth/api-key";
import { signToken } from "../auth/tokens";

const keys = {
  publishableKey: "sb_publishable_x",
  secretKey: "sb_secret_x",
  jwtSecret: "a secret of the test",
};
const now = 1_800_000_000;
const peer = "10.0.0.7";
const sub = randomUUID();
const token = (claims: object) =>
  signToken({ role: "authenticated", sub, exp: now + 60, ...claims }, keys.jwtSecret);

function caller(headers: Record<string, string>, path = "/rest/v1/notes") {
  const head = new Request(`http://localhost${path}`, { headers });
  return callerOf({ head, url: new URL(head.url), peer }, keys, now);
}

test("[API-95] a caller has the claims of its token, and its account pays", () => {
  const person = caller({
    apikey: keys.publishableKey,
    authorization: `Bearer ${token({ email: "ana@example.com" })}`,
  });
  expect(person).toEqual({
    kind: "person",
    claims: { role: "authenticated", sub, exp: now + 60, email: "ana@example.com" },
    payer: sub,
  });
});

test.each([
  ["the publishable key", { apikey: keys.publishableKey }, "anybody"],
  [
    "the publishable key, repeated as token",
    { apikey: keys.publishableKey, authorization: `Bearer ${keys.publishableKey}` },
    "anybody",
  ],
  ["the secret key", { apikey: keys.secretKey }, "service"],
] as const)("[API-95] with %s alone, the network pays", (_how, headers, kind) => {
  expect(caller(headers)).toEqual({ kind, claims: null, payer: peer });
});

test("[API-95] a key in the query counts, and a link of a mail needs none", () => {
  expect(caller({}, `/rest/v1/notes?apikey=${keys.publishableKey}`)).toMatchObject({
    kind: "anybody",
  });
  expect(caller({}, "/auth/v1/verify?token=x")).toEqual({
    kind: "anybody",
    claims: null,
    payer: peer,
  });
});

test("[API-95] a token may expire after admission", () => {
  const admitted = caller({ apikey: keys.publishableKey, authorization: `Bearer ${token({})}` });
  if (admitted instanceof Response) throw new Error("The token was refused");
  expect([now, now + 59, now + 60].map((time) => hasExpired(admitted, time))).toEqual([
    false,
    false,
    true,
  ]);
  expect(hasExpired({ ...admitted, claims: null }, now + 600)).toBe(false);
});
