import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signInAgain, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let stack: TestBackend;
let ana: Person;
let bcrypt: {
  compare: (text: string, hash: string) => Promise<boolean>;
  hash: (text: string, cost: number) => Promise<string>;
};
beforeAll(async () => {
  stack = await testBackend();
  ana = await signUp(stack, "Ana");
  // Lite's own copy of bcrypt, so that the test counts calls. Time would not be reliable.
  bcrypt = (await import("bcryptjs")).default;
});
afterAll(() => stack.stop());
afterEach(() => vi.restoreAllMocks());

const ask = async (
  path: string,
  body: object,
  { method = "POST", token }: { method?: string; token?: string } = {},
) => {
  const response = await fetch(`${stack.url}/auth/v1/${path}`, {
    method,
    headers: {
      apikey: stack.keys.publishableKey,
      "content-type": "application/json",
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};

/** Measures a call's work on the server: hashes by cost, account rows, audit log entries. */
async function workOf<T>(call: () => Promise<T>): Promise<{ answer: T; work: object }> {
  const compared = vi.spyOn(bcrypt, "compare");
  const hashed = vi.spyOn(bcrypt, "hash");
  const rows = async () =>
    new Map(
      (await stack.sql`select id, xmin::text from auth.users`).map(({ id, xmin }) => [id, xmin]),
    );
  const entries = async () =>
    Number((await stack.sql`select count(*) as count from auth.audit_log_entries`)[0]?.count);
  const before = [await rows(), await entries()] as const;
  const answer = await call();
  const after = [await rows(), await entries()] as const;
  const written = [...after[0]].filter(([id, xmin]) => before[0].get(id) !== xmin).length;
  const costs = [
    ...compared.mock.calls.map(([, hash]) => Number(hash.split("$")[2])),
    ...hashed.mock.calls.map(([, cost]) => Number(cost)),
  ];
  vi.restoreAllMocks();
  return { answer, work: { costs, written, audited: after[1] - before[1] } };
}

const nobody = () => `nobody.${Math.random().toString(36).slice(2)}@example.com`;

describe("the existence of an account", () => {
  test.each([
    ["a password", "token?grant_type=password", { password: "a wrong password" }, { costs: [10] }],
    ["a recovery", "recover", {}, { costs: [], written: 1, audited: 1 }],
    ["a sign-in link", "otp", { create_user: false }, { costs: [], written: 1, audited: 1 }],
    ["a magic link", "magiclink", { create_user: false }, { costs: [], written: 1, audited: 1 }],
    ["a sign-in link that may create", "otp", { create_user: true }, { costs: [10] }],
    ["a mail once more", "resend", { type: "signup" }, { costs: [], written: 0, audited: 0 }],
    ["a code", "verify", { type: "email", token: "123456" }, { costs: [], written: 0, audited: 0 }],
  ])(
    "[API-13] shows in neither the answer nor the work of %s",
    async (_name, path, fields, work) => {
      const known = await workOf(() => ask(path, { ...fields, email: ana.email }));
      const unknown = await workOf(() => ask(path, { ...fields, email: nobody() }));
      expect(unknown.answer).toEqual(known.answer);
      expect(known.work).toMatchObject(work);
      expect(unknown.work).toMatchObject(work);
    },
  );

  test("[API-13] an address without an account gets no mail", async () => {
    const before = stack.mails().length;
    const email = nobody();
    await ask("recover", { email });
    await ask("otp", { email, create_user: false });
    expect(stack.mails()).toHaveLength(before);
  });

  test("[API-13] the placeholder account has a hash like any other, and refuses sign-in", async () => {
    const [row] =
      await stack.sql`select email, encrypted_password as hash from auth.users where email like '%@nobody.invalid'`;
    const [own] =
      await stack.sql`select encrypted_password as hash from auth.users where email = ${ana.email}`;
    expect(String(row?.hash).slice(0, 7)).toBe(String(own?.hash).slice(0, 7));
    expect(String(row?.hash)).toHaveLength(60);
    expect(
      (await ask("token?grant_type=password", { email: row?.email, password: row?.hash })).status,
    ).toBe(400);
  });

  test("[API-14] a second sign-up gets a mail and changes nothing", async () => {
    const known = await workOf(() =>
      ask("signup", {
        email: ana.email.toUpperCase(),
        password: "another long password",
        data: { name: "Mallory" },
      }),
    );
    expect(known.answer.status).toBe(200);
    expect(known.answer.body).not.toHaveProperty("access_token");
    expect(known.answer.body).toMatchObject({
      email: ana.email,
      user_metadata: { name: "Mallory" },
    });
    expect(known.answer.body.id).not.toBe(ana.user.id);
    expect(known.work).toMatchObject({ costs: [10] });
    const [mail] = stack.mails(ana.email);
    expect(mail?.subject).toBe("You already have an account");
    expect(mail?.html).toContain(`${stack.url}/sign-in`);
    expect(mail?.html).not.toContain("Mallory");
    await signInAgain(stack, ana);
    expect(
      (
        await visitor(stack).auth.signInWithPassword({
          email: ana.email,
          password: "another long password",
        })
      ).error?.code,
    ).toBe("invalid_credentials");
  });

  test("[API-14] mails about sign-ups share the limit of other mails", async () => {
    const victim = await signUp(stack, "Victim");
    const statuses: number[] = [];
    for (let index = 0; index < 8; index += 1)
      statuses.push((await ask("recover", { email: victim.email })).status);
    for (let index = 0; index < 6; index += 1)
      statuses.push(
        (await ask("signup", { email: victim.email, password: "another long password" })).status,
      );
    expect(statuses).toEqual(Array(14).fill(200));
    expect(stack.mails(victim.email)).toHaveLength(10);
  });
});

describe("a change of address", () => {
  const hashIn = (address: string) =>
    /token_hash=([\w.-]+)/.exec(stack.mails(address)[0]?.html ?? "")?.[1];
  const shape = (value: object) =>
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, typeof item]));

  test("[API-13] has the same answer for a free and a taken address, and warns the taken one’s owner", async () => {
    const mallory = await signUp(stack, "Mallory");
    const owner = await signUp(stack, "Owner");
    const token = await mallory.accessToken();
    const change = async (email: string) => {
      const { answer, work } = await workOf(() => ask("user", { email }, { method: "PUT", token }));
      const own = hashIn(mallory.email) ?? "";
      const first = await ask("verify", { type: "email_change", token_hash: own });
      const again = await ask("verify", { type: "email_change", token_hash: own });
      const { body: user } = await ask("resend", { type: "email_change", email: mallory.email });
      return {
        status: answer.status,
        shape: shape(answer.body),
        asked: answer.body.new_email === email,
        work,
        first,
        again,
        user,
      };
    };
    const free = await change(nobody());
    const taken = await change(owner.email.toUpperCase());
    expect({ ...taken, asked: true }).toEqual(free);
    expect(taken.status).toBe(200);
    const { data } = await mallory.client.auth.getUser();
    expect([data.user?.email, data.user?.new_email]).toEqual([mallory.email, owner.email]);
    const [mail] = stack.mails(owner.email);
    expect(mail?.subject).toBe("You already have an account");
    expect(mail?.html).not.toContain("token_hash");
    expect(mail?.html).not.toContain(mallory.email);
    await signInAgain(stack, owner);
  });

  test("[AUTH-4] does not reach an address that was taken meanwhile", async () => {
    const ben = await signUp(stack, "Ben");
    const newEmail = nobody();
    expect((await ben.client.auth.updateUser({ email: newEmail })).error).toBeNull();
    const [own, other] = [hashIn(ben.email) ?? "", hashIn(newEmail) ?? ""];
    expect(
      (await visitor(stack).auth.signUp({ email: newEmail, password: "a long enough password" }))
        .data.session,
    ).not.toBeNull();
    expect((await ask("verify", { type: "email_change", token_hash: own })).status).toBe(200);
    expect(await ask("verify", { type: "email_change", token_hash: other })).toMatchObject({
      status: 403,
      body: { code: "otp_expired" },
    });
    expect((await ben.client.auth.getUser()).data.user?.email).toBe(ben.email);
  });

  test("[AUTH-4] with a refused password changes nothing", async () => {
    const ben = await signUp(stack, "Ben");
    expect(
      (await ben.client.auth.updateUser({ email: nobody(), password: "short" })).error?.code,
    ).toBe("weak_password");
    expect((await ben.client.auth.getUser()).data.user?.new_email).toBeUndefined();
    expect(stack.mails(ben.email)).toEqual([]);
  });
});
