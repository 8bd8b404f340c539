import { expect, test } from "vitest";
import { accountAnswers } from "./account-answers";
import type { AuthCall } from "./auth-endpoints";

const call: AuthCall = {
  method: "POST",
  path: "signup",
  limitKind: "signUp",
  query: new URLSearchParams(),
  redirect: null,
  kind: "signUp",
  body: {
    email: "ana@example.com",
    password: "long enough password",
    data: { name: "Ana", access_token: "x" },
    phone: undefined,
  },
};

const answersOf = (mails: string[]) =>
  accountAnswers({
    nobody: {
      email: "nobody@nobody.invalid",
      hasAccount: async () => false,
      hasPassword: async () => false,
    },
    changes: { ask: async () => null, confirm: async () => new Response() },
    mailbox: {
      messages: () => [],
      send: async ({ to }) => void mails.push(to),
      drop: async () => undefined,
    },
    existingAccount: { subject: "You already have an account", html: "" },
    mailUrl: "http://localhost:3000",
    jwtSecret: "secret",
    signUpIsOpen: true,
    demoIsOpen: true,
    codeLength: 6,
    mayMail: () => true,
  });

test("[API-14] with confirmation, a sign-up answers alike for free and taken addresses", async () => {
  const mails: string[] = [];
  const created = {
    id: "019-made-by-lite",
    email: "ana@example.com",
    user_metadata: { name: "Ana", access_token: "x" },
    identities: [{ id: "1" }],
  };
  const taken = {
    code: 429,
    error_code: "over_email_send_rate_limit",
    msg: "For security purposes",
  };
  const free = await answersOf(mails)(call, async () => Response.json(created));
  const asked: object[] = [];
  const known = await answersOf(mails)(call, async (body) => {
    asked.push(body ?? {});
    return Response.json(taken, { status: 429 });
  });
  const plain = async (response: Response) =>
    JSON.stringify(await response.json()).replace(
      /[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g,
      "*",
    );
  expect(known.status).toBe(free.status);
  expect(await plain(known)).toBe(await plain(free));
  expect(mails).toEqual(["ana@example.com"]);
  // One hash was computed for the account that was not created.
  expect(asked).toMatchObject([
    { email: "ana@example.com" },
    { email: "nobody@nobody.invalid", password: "long enough password" },
  ]);
});

test("[API-14] a fault of the sign-up itself is reported", async () => {
  const weak = Response.json({ code: 422, error_code: "weak_password" }, { status: 422 });
  expect((await answersOf([])(call, async () => weak)).status).toBe(422);
});
