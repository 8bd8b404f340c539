import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerAuth } from "./auth-calls";
import { callOf } from "../http/call.fixture";

const nobody = "nobody@nobody.invalid";
const emails = ["victim@example.com", "decoy@example.com"];

/** The effects of one request: calls to Lite, counted limits, and started address changes. */
type Seen = {
  asked: { type: string | null; encoding: string | null; text: string }[];
  counted: (string | null)[];
  changes: string[];
  status: number;
};

async function sendAuth(request: Request, body: Uint8Array): Promise<Seen> {
  const seen: Omit<Seen, "status"> = { asked: [], counted: [], changes: [] };
  const auth = answerAuth({
    async lite(request) {
      seen.asked.push({
        type: request.headers.get("content-type"),
        encoding: request.headers.get("content-encoding"),
        text: await request.text(),
      });
      return Response.json({ id: "7b1e8f3a-54f0-4b0b-8f7e-3f1f5a1e0001" });
    },
    limits: {
      take({ account }) {
        seen.counted.push(account);
        return 0;
      },
      succeeded: () => undefined,
      mayMail: () => true,
    },
    sessions: {
      note: async () => undefined,
      endOthers: async () => undefined,
      endReused: async () => undefined,
    },
    adminUsers: async () => Response.json({}),
    endsAreKnown: async () => undefined,
    withClaims: async (_, response) => response,
    siteUrl: "http://localhost:3000",
    ownUrl: "http://localhost:3000",
    mayLinkTo: () => true,
    nobody: { email: nobody, hasAccount: async () => true, hasPassword: async () => true },
    changes: {
      async ask(_, email) {
        seen.changes.push(email);
        return null;
      },
      confirm: async () => new Response(),
    },
    mailbox: { messages: () => [], send: async () => undefined, drop: async () => undefined },
    existingAccount: { subject: "", html: "" },
    mailUrl: "http://localhost:3000",
    jwtSecret: "secret",
    signUpIsOpen: true,
    demoIsOpen: true,
    codeLength: 6,
  });
  const { status } = await auth(callOf(request), body);
  return { ...seen, status };
}

const keys = ["email", "em\\u0061il", "Email", "phone", "password", "p\\u0061ssword", "token"]
  .concat(["token_hash", "type", "refresh_token", "data", "create_user", "options", "scope"])
  .concat(["__proto__", "constructor", "email\\u0000", "email", "email", "email", "password"]);
const values = [...emails, emails[0]?.toUpperCase(), ` ${emails[1]}\u00a0`, "long enough", "123456"]
  .concat(["email", "magiclink", "signup", ""])
  .concat(emails, emails, "long enough", "long enough")
  .map((value) => JSON.stringify(value))
  .concat(["null", "7", "1e999", "true", "[]", "{}", `["${emails[0]}"]`, '"\\ud800"', '"\\u0000"'])
  .concat([`{"email":"${emails[0]}"}`, `{"shouldCreateUser":false}`, "[".repeat(40), "NaN"]);
const plain = Array<string>(20).fill("");
const text = fc.record({
  members: fc.array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values)), {
    minLength: 1,
    maxLength: 3,
  }),
  before: fc.constantFrom(...plain, " \n", "\ufeff", "[", "{}", "/**/", "\0"),
  after: fc.constantFrom(...plain, "\r\n", "\ufeff", "]", "{}", "//", ",", "\0"),
});
const encode: ((text: string) => Uint8Array)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(text),
  (text) => Buffer.from(text),
  (text) => Buffer.from(text, "latin1"),
  (text) => Buffer.from(text, "utf16le"),
  (text) => gzipSync(text),
];
const types = [null, "application/json", "application/json; charset=utf-8", "text/plain"]
  .concat(["application/json; charset=utf-7", "application/x-www-form-urlencoded"])
  .concat(["multipart/form-data; boundary=x", "application/json; charset=utf-8; charset=utf-16"]);
const addresses = ["token?grant_type=password", "token?grant_type=refresh_token", "signup", "otp"]
  .concat([
    "magiclink",
    "recover",
    "resend",
    "verify",
    "logout",
    "user",
    "user",
    "user",
    "admin/users",
    "invite",
  ])
  .map((path) => ({ path, method: path === "user" ? "PUT" : "POST" }));

test("[API-11] [API-12] Lite gets the counted call, serialized again, whatever was sent", async () => {
  const met = { asked: 0, counted: 0, refused: 0, changes: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...addresses),
      text,
      fc.constantFrom(...encode),
      fc.constantFrom(...types),
      fc.constantFrom(null, null, null, null, null, "identity", "gzip", "gzip, identity"),
      async ({ path, method }, { members, before, after }, bytesOf, type, encoding) => {
        const object = `{${members.map(([key, value]) => `"${key}":${value}`).join(",")}}`;
        const headers = new Headers();
        if (type !== null) headers.set("content-type", type);
        if (encoding !== null) headers.set("content-encoding", encoding);
        const request = new Request(`http://localhost:3000/auth/v1/${path}`, { method, headers });
        const seen = await sendAuth(request, bytesOf(before + object + after));

        expect(seen.status).toBeLessThan(500);
        if (seen.status >= 400) met.refused += 1;
        for (const { type, encoding, text } of seen.asked) {
          const read: unknown = JSON.parse(text);
          expect([type, encoding]).toEqual(["application/json", null]);
          expect(text).toBe(JSON.stringify(read));
          const asked = read !== null && typeof read === "object" && "email" in read;
          if (asked) {
            expect([seen.counted[0], nobody]).toContain(read.email);
            met.asked += 1;
          }
        }
        expect(seen.counted.length).toBeLessThanOrEqual(path === "user" ? 2 : 1);
        if (seen.asked.length > 0) expect(seen.counted.length).toBeGreaterThan(0);
        for (const account of seen.counted) if (account !== null) met.counted += 1;
        for (const email of seen.changes) {
          expect(email).toBe(seen.counted[0]);
          met.changes += 1;
        }
      },
    ),
    { numRuns: 4000 },
  );
  // Most inputs are refused, but enough inputs must be accepted.
  for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(10);
});
