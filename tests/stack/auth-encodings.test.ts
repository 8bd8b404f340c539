import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authCalls } from "@/tests/support/product/auth-calls";
import type { AuthCall } from "@/tests/support/product/auth-calls";
import { addressSpellings, authEncodings } from "@/tests/support/product/auth-encodings";
import type { AuthEncoding } from "@/tests/support/product/auth-encodings";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signInAgain, signUp } from "@/tests/support/writers/people";

let stack: TestBackend;
beforeAll(async () => {
  stack = await testBackend({ TRUST_PROXY: "1" });
});
afterAll(() => stack.stop());

const send = authCalls(() => stack);

describe("an auth body in every encoding", () => {
  const password = "a quite different password";
  const decoy = "decoy@example.com";

  /** Returns everything that auth stores, and the mails that it sent. */
  async function state(): Promise<string> {
    const tables = await stack.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'auth'::regnamespace and relkind = 'r' order by 1`;
    const rows = await Promise.all(
      tables.map(
        ({ name }) => stack.sql`
          select to_jsonb(t) - 'updated_at' as row from ${stack.sql(`auth.${name}`)} t
          order by (to_jsonb(t) - 'updated_at')::text`,
      ),
    );
    return JSON.stringify([rows, stack.mails().length]);
  }

  /** Whether an encoding differs only in its keys. Such an encoding costs a password hash. */
  const keysOnly = ({ name }: AuthEncoding) => name.includes("keys");

  /**
   * Sends every encoding of the fields. An encoding that is not understood must be refused and
   * change nothing.
   */
  async function sendAll(
    fields: Record<string, string>,
    call: AuthCall,
    understood: (encoding: AuthEncoding, answer: Awaited<ReturnType<typeof send>>) => unknown,
    isSent: (encoding: AuthEncoding) => boolean = () => true,
  ): Promise<void> {
    const before = await state();
    const all = authEncodings(fields, decoy);
    for (const encoding of all.filter(({ reads }) => reads === "nothing")) {
      const answer = await send(encoding.body, { ...call, headers: encoding.headers });
      const shown = `${call.path} with ${encoding.name}: ${answer.status} ${answer.text}`;
      expect(answer.status >= 400 && answer.status < 500, shown).toBe(true);
      expect(answer.text, shown).not.toContain("access_token");
    }
    expect(await state(), `${call.path} changed something that it did not understand`).toBe(before);
    for (const encoding of all.filter((one) => one.reads === "fields" && isSent(one)))
      await understood(encoding, await send(encoding.body, { ...call, headers: encoding.headers }));
  }

  test("[API-11] [API-12] leaves a locked account without a sign-in, mail or change", async () => {
    const victim = await signUp(stack, "Kay Victim");
    const { email, password } = victim;
    await send(JSON.stringify({ email }), { path: "otp" });
    const code = /<strong>(\d{6})</.exec(stack.mails(email)[0]?.html ?? "")?.[1] ?? "";
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    type Sent = [path: string, fields: Record<string, string>];
    /**
     * A limit: the call that uses it up, in how many tries, and the calls that are then refused.
     */
    const limits: [tried: Sent, tries: number, calls: Sent[]][] = [
      [
        ["recover", { email }],
        9,
        [
          ["otp", { email }],
          ["recover", { email }],
          ["resend", { type: "signup", email }],
        ],
      ],
      [
        ["verify", { type: "email", email, token: wrong }],
        10,
        [["verify", { type: "email", email, token: code }]],
      ],
      [
        ["token?grant_type=password", { email, password: "wrong" }],
        10,
        [["token?grant_type=password", { email, password }]],
      ],
      [["signup", { email, password }], 10, [["signup", { email, password }]]],
    ];
    // Exhausted right before the calls that depend on it: some seconds after the first try, another
    // try becomes available.
    for (const [[tried, given], tries, calls] of limits) {
      for (let index = 0; index < tries; index += 1)
        await send(JSON.stringify(given), { path: tried });
      expect((await send(JSON.stringify(given), { path: tried })).status, tried).toBe(429);
      const before = await state();
      for (const [path, fields] of calls) {
        await sendAll(fields, { path }, ({ name }, answer) =>
          expect(answer.status, `${path} with ${name}: ${answer.text}`).toBe(429),
        );
        for (const spelling of addressSpellings(email))
          expect(
            (await send(JSON.stringify({ ...fields, email: spelling }), { path })).status,
            `${path} of ${JSON.stringify(spelling)}`,
          ).toBe(429);
      }
      expect(await state()).toBe(before);
    }
  });

  test("[API-11] signs in the account that it names", async () => {
    const { email, password, user } = await signUp(stack, "Ana");
    const check = (_: AuthEncoding, answer: Awaited<ReturnType<typeof send>>) => {
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text)).toMatchObject({ user: { id: user.id } });
    };
    await sendAll({ email, password }, { path: "token?grant_type=password" }, check, keysOnly);
  });

  test("[API-11] renews a session only for a token that was parsed", async () => {
    const { data } = await (await signUp(stack, "Ana")).client.auth.getSession();
    let token = data.session?.refresh_token ?? "";
    await sendAll({ refresh_token: token }, { path: "token?grant_type=refresh_token" }, () => {});
    const renewed = await send(JSON.stringify({ refresh_token: token }), {
      path: "token?grant_type=refresh_token",
    });
    expect(renewed.status).toBe(200);
    token = /"refresh_token":"([^"]+)"/.exec(renewed.text)?.[1] ?? "";
    expect(token).not.toBe("");
  });

  test("[API-11] changes the token's account alone, to the value that was parsed", async () => {
    const person = await signUp(stack, "Ana");
    const token = await person.accessToken();
    const call = { method: "PUT", path: "user", token };
    const answers: number[] = [];
    await sendAll({ password }, call, (_, { status }) => answers.push(status), keysOnly);
    // The first call changes the password, and all others leave it unchanged.
    expect(answers).toEqual([200, ...answers.slice(1).map(() => 422)]);
    expect((await signInAgain(stack, { ...person, password })).user.id).toBe(person.user.id);
    const next = `next.${person.email}`;
    const waiting = () => stack.sql`
      select id, email, email_change as next from auth.users where coalesce(email_change, '') <> ''`;
    await sendAll({ email: next }, call, async ({ name }, { status, text }) => {
      // The limit is ten mails an hour for each address.
      expect([200, 429], `${name}: ${text}`).toContain(status);
      expect([...(await waiting()).filter(({ id }) => id === person.user.id)]).toEqual([
        { id: person.user.id, email: person.email, next },
      ]);
    });
    expect(JSON.stringify(await waiting())).not.toContain(decoy);
  });

  test("[API-11] ends a session only for a body that was parsed, and none at other addresses", async () => {
    const person = await signUp(stack, "Ana");
    const token = await person.accessToken();
    for (const path of ["admin/users", "admin/generate_link", "invite", "factors"])
      await sendAll({ email: person.email }, { path, token }, (_, { status }) =>
        expect(status).toBe(404),
      );
    const before = await state();
    for (const { body, headers } of authEncodings({ scope: "global" }, decoy).filter(
      ({ reads, name }) => reads === "nothing" && !name.startsWith("scope as"),
    ))
      expect([400, 413]).toContain((await send(body, { path: "logout", token, headers })).status);
    expect(await state()).toBe(before);
    expect(
      (await send(JSON.stringify({ scope: "global" }), { path: "logout", token })).status,
    ).toBe(204);
  });
});
