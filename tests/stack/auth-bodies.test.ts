import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { authCalls } from "@/tests/support/product/auth-calls";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signInAgain, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let stack: TestBackend;
beforeAll(async () => {
  // Behind a trusted proxy, each request names its own address, so that one test can act as many
  // machines.
  stack = await testBackend({ TRUST_PROXY: "1" });
});
afterAll(() => stack.stop());

const send = authCalls(() => stack);

const mark = "\ufeff";
/** All texts that some JSON, UTF-8 or form parser reads as the same object. */
const broken: Record<
  string,
  (json: string) => { body: string | Buffer; headers?: Record<string, string> }
> = {
  "a byte-order mark": (json) => ({ body: mark + json }),
  "two byte-order marks": (json) => ({ body: mark + mark + json }),
  "UTF-16": (json) => ({
    body: Buffer.from(mark + json, "utf16le"),
    headers: { "content-type": "application/json; charset=utf-16" },
  }),
  "another charset": (json) => ({
    body: json,
    headers: { "content-type": "application/json; charset=utf-7" },
  }),
  "invalid UTF-8": (json) => ({
    body: Buffer.concat([
      Buffer.from(json.slice(0, -1)),
      Buffer.from(',"x":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]),
  }),
  gzip: (json) => ({ body: gzipSync(json), headers: { "content-encoding": "gzip" } }),
  "a claim of gzip": (json) => ({ body: json, headers: { "content-encoding": "gzip" } }),
  "a form": (json) => ({
    body: new URLSearchParams(JSON.parse(json)).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  "a list": (json) => ({ body: `[${json}]` }),
  "text in JSON": (json) => ({ body: JSON.stringify(json) }),
  null: () => ({ body: "null" }),
  nothing: () => ({ body: "" }),
  "two objects": (json) => ({ body: json + json }),
  "a comment": (json) => ({ body: `${json}//` }),
  "a zero byte behind it": (json) => ({ body: `${json}\0` }),
  "a prototype": (json) => ({ body: `{"__proto__":${json},${json.slice(1)}` }),
  "half a surrogate pair": (json) => ({ body: json.replace("{", '{"data":{"name":"\\ud800"},') }),
  "a zero character": (json) => ({ body: json.replace("{", '{"data":{"name":"\\u0000"},') }),
  "a hundred lists in each other": (json) => ({
    body: json.replace("{", `{"data":{"name":${"[".repeat(100)}${"]".repeat(100)}},`),
  }),
};

describe("an auth body", () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await signUp(stack, "Ana");
  });

  test.each(Object.keys(broken))(
    "[API-11] must be one JSON object in UTF-8: %s is 400",
    async (name) => {
      const { email, password } = ana;
      const { body, headers } = broken[name]?.(JSON.stringify({ email, password })) ?? { body: "" };
      const answer = await send(body, { headers: headers ?? {} });
      expect([answer.status, answer.text.includes("access_token")]).toEqual([400, false]);
      expect(answer.code).toBe("bad_json");
    },
  );

  test.each([
    ["signup", { email: ["a@example.com"], password: "long enough password" }],
    ["signup", { email: "a\u0000@example.com", password: "long enough password" }],
    ["signup", { email: `${"a".repeat(300)}@example.com`, password: "long enough password" }],
    ["signup", { email: "a@example.com", password: 12345678 }],
    ["signup", { email: "a@example.com", password: "long enough password", data: "text" }],
    ["signup", { email: "a@example.com", phone: "123456", password: "long enough password" }],
    ["token?grant_type=password", { email: { toLowerCase: 1 }, password: "x" }],
    ["token?grant_type=password", { email: null, password: "x" }],
    ["token?grant_type=password", { phone: "123456", password: "x" }],
    ["token?grant_type=refresh_token", { refresh_token: 7 }],
    ["token?grant_type=saml", { email: "a@example.com" }],
    [
      "token?grant_type=password&grant_type=refresh_token",
      { email: "a@example.com", password: "x" },
    ],
    ["token", { email: "a@example.com", password: "x" }],
    ["otp", { email: 5 }],
    ["recover", { email: false }],
    ["magiclink", {}],
    ["verify", { type: "email", email: "a@example.com", token: 123456 }],
    ["verify", { type: ["email"], token_hash: "x" }],
    ["verify", { type: "sms", phone: "1", token: "123456" }],
    ["verify", { type: "email", email: "a@example.com", token: "123456", token_hash: "x" }],
    ["resend", { type: 7, email: "a@example.com" }],
  ])("[API-11] of %s needs fields of the right type: %j is 400", async (path, body) => {
    expect((await send(JSON.stringify(body), { path })).status).toBe(400);
  });

  test.each([
    "token/?grant_type=password",
    "/token?grant_type=password",
    "TOKEN?grant_type=password",
    "token;x?grant_type=password",
    "signup/x",
    "admin/users",
    "invite",
    "factors",
    "sso",
    "nonexistent",
  ])("[API-11] is refused at every other address: %s is 404, as not offered", async (path) => {
    const answer = await send(JSON.stringify({ email: ana.email, password: ana.password }), {
      path,
    });
    expect([answer.status, answer.text.includes("access_token")]).toEqual([404, false]);
  });

  test("[API-11] needs the method of its address", async () => {
    const body = JSON.stringify({ email: ana.email, password: ana.password });
    for (const method of ["PUT", "PATCH", "DELETE"])
      expect((await send(body, { method })).status).toBe(405);
    for (const name of ["x-http-method-override", "x-method-override"]) {
      expect(
        (
          await send(JSON.stringify({ email: "else@example.com" }), {
            path: "user",
            headers: { [name]: "PUT" },
            token: await ana.accessToken(),
          })
        ).status,
      ).toBe(405);
    }
  });
});

/** Objects that one parser or another reads as the same guess. */
const guesses: ((email: string, password: string) => string)[] = [
  (email, password) => JSON.stringify({ email, password }),
  (email, password) => JSON.stringify({ email, password, phone: null }),
  (email, password) => JSON.stringify({ phone: "", email, password, gotrue_meta_security: null }),
  (email, password) =>
    `\n\t {"password":${JSON.stringify(password)}, "email":${JSON.stringify(email)}} \r\n`,
  (email, password) => JSON.stringify({ email: email.toUpperCase(), password }),
  (email, password) => JSON.stringify({ email: ` ${email}\t`, password }),
  (email, password) =>
    `{"email":"somebody@example.com","email":${JSON.stringify(email)},"password":${JSON.stringify(password)}}`,
  (email, password) =>
    `{"em\\u0061il":${JSON.stringify(email)},"password":${JSON.stringify(password)}}`,
  (email, password) =>
    `{"email":"x@example.com","em\\u0061il":${JSON.stringify(email)},"password":${JSON.stringify(password)}}`,
  (email, password) =>
    JSON.stringify({ email, password, Email: "somebody@example.com", EMAIL: "else@example.com" }),
  (email, password) =>
    JSON.stringify({
      email,
      password,
      data: { email: "else@example.com" },
      options: { email: "else@example.com" },
    }),
];
const addresses = [
  "token?grant_type=password",
  "token?apikey=x&grant_type=password",
  "token?grant%5ftype=password",
  "token?x=%26grant_type%3Drefresh_token&grant_type=password",
  "token?grant_type=password&email=other@example.com",
];

describe("guessing", () => {
  test("[API-12] a password locks after ten tries, in every form and from every address", async () => {
    const victim = await signUp(stack, "Victim");
    const codes: (string | undefined)[] = [];
    for (const path of addresses) {
      for (const shape of guesses)
        codes.push((await send(shape(victim.email, `guess ${codes.length}`), { path })).code);
    }
    expect(codes.filter((code) => code === "invalid_credentials")).toHaveLength(10);
    expect(codes.filter((code) => code === "over_request_rate_limit")).toHaveLength(
      codes.length - 10,
    );
    for (const { body, headers } of Object.values(broken).map((make) =>
      make(JSON.stringify({ email: victim.email, password: victim.password })),
    )) {
      expect((await send(body, { headers: headers ?? {} })).text).not.toContain("access_token");
    }
  });

  const codeFor = async (person: Person) => {
    await visitor(stack).auth.signInWithOtp({
      email: person.email,
      options: { shouldCreateUser: false },
    });
    return /<strong>(\d{6})</.exec(stack.mails(person.email)[0]?.html ?? "")?.[1] ?? "";
  };

  test("[API-12] a code locks after ten tries, even if split between its fields", async () => {
    const victim = await signUp(stack, "Victim");
    const right = await codeFor(victim);
    const wrong = (index: number) =>
      String((Number(right) + 1 + index) % 1_000_000).padStart(6, "0");
    const codes: (string | undefined)[] = [];
    for (let index = 0; index < 30; index += 1) {
      codes.push(
        (
          await send(
            JSON.stringify({
              type: "email",
              email: index % 2 ? victim.email : victim.email.toUpperCase(),
              token: wrong(index),
              phone: null,
            }),
            { path: "verify" },
          )
        ).code,
      );
    }
    expect(codes.filter((code) => code === "otp_expired")).toHaveLength(10);
    expect(codes.filter((code) => code === "over_request_rate_limit")).toHaveLength(20);
    for (const cut of [-3, 1, 3, 5]) {
      const whole = victim.email + right;
      const at = victim.email.length + cut;
      const split = { type: "magiclink", email: whole.slice(0, at), token: whole.slice(at) };
      expect(
        (await send(JSON.stringify(split), { path: "verify" })).text,
        `cut at ${cut}`,
      ).not.toContain("access_token");
    }
  });

  test("[API-12] a code cannot be tried as the hash of a link", async () => {
    const victim = await signUp(stack, "Victim");
    const hash = createHash("sha256")
      .update(`${victim.email}${await codeFor(victim)}`)
      .digest("hex");
    for (const type of ["magiclink", "email", "recovery"]) {
      expect(
        (await send(JSON.stringify({ type, token_hash: hash }), { path: "verify" })).text,
      ).not.toContain("access_token");
      const link = await send("", { method: "GET", path: `verify?type=${type}&token=${hash}` });
      expect(link.headers.location ?? "").not.toContain("access_token");
    }
    const link = /token_hash=([\w.-]+)/.exec(stack.mails(victim.email)[0]?.html ?? "")?.[1];
    expect(
      (await visitor(stack).auth.verifyOtp({ token_hash: link ?? "", type: "email" })).error,
    ).toBeNull();
  });
});

describe("a change of the account", () => {
  const asking: Record<string, (json: string) => string | Buffer> = {
    plain: (json) => json,
    "a byte-order mark": (json) => mark + json,
    "a key twice": (json) => `{"email":null,"password":null,${json.slice(1)}`,
    "an escaped key": (json) =>
      json.replace('"email"', '"em\\u0061il"').replace('"password"', '"p\\u0061ssword"'),
    "keys of others": (json) => `{"phone":null,"nonce":"1","data":null,${json.slice(1)}`,
  };

  test.each(Object.keys(asking))(
    "[AUTH-4] of address needs both mailboxes in every form: %s",
    async (name) => {
      const person = await signUp(stack, "Ana");
      const next = `new.${person.email}`;
      const answer = await send(asking[name]?.(JSON.stringify({ email: next })) ?? "", {
        method: "PUT",
        path: "user",
        token: await person.accessToken(),
      });
      if (name === "a byte-order mark") {
        expect(answer.status).toBe(400);
        expect(stack.mails(person.email)).toEqual([]);
        return;
      }
      expect(answer.status).toBe(200);
      const link = /token_hash=([\w.-]+)/.exec(stack.mails(person.email)[0]?.html ?? "")?.[1] ?? "";
      expect(
        (await visitor(stack).auth.verifyOtp({ token_hash: link, type: "email_change" })).error,
      ).toBeNull();
      expect((await person.client.auth.getUser()).data.user?.email).toBe(person.email);
      const other = /token_hash=([\w.-]+)/.exec(stack.mails(next)[0]?.html ?? "")?.[1] ?? "";
      expect(
        (await visitor(stack).auth.verifyOtp({ token_hash: other, type: "email_change" })).error,
      ).toBeNull();
      expect((await person.client.auth.getUser()).data.user?.email).toBe(next);
    },
  );

  test.each(Object.keys(asking))(
    "[AUTH-1] of password ends every other session in every form: %s",
    async (name) => {
      const person = await signUp(stack, "Ana");
      const elsewhere = await signInAgain(stack, person);
      const answer = await send(
        asking[name]?.(JSON.stringify({ password: "a quite different password" })) ?? "",
        { method: "PUT", path: "user", token: await person.accessToken() },
      );
      const changed = name !== "a byte-order mark";
      expect(answer.status).toBe(changed ? 200 : 400);
      expect((await elsewhere.client.auth.refreshSession()).error === null).toBe(!changed);
      expect((await person.client.auth.refreshSession()).error).toBeNull();
    },
  );

  test("[API-11] of password takes at most the 72 bytes that bcrypt reads", async () => {
    const person = await signUp(stack, "Ana");
    for (const password of ["x".repeat(73), "ü".repeat(37)]) {
      expect((await person.client.auth.updateUser({ password })).error?.code).toBe(
        "password_too_long",
      );
      expect(
        (await visitor(stack).auth.signUp({ email: `long.${person.email}`, password })).error?.code,
      ).toBe("password_too_long");
    }
    await signInAgain(stack, person);
  });
});
