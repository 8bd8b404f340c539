import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";

type Sent = { url: string; headers: Headers; body: Record<string, unknown> };

let handler: (request: Request) => Response | Promise<Response>;
let variables: Record<string, string>;
let claimed: { status: number; body: object };
let sent: Sent[];

beforeAll(async () => {
  const deno: typeof Deno = {
    serve: (given) => void (handler = given),
    env: { get: (name) => variables[name] },
  };
  vi.stubGlobal("Deno", deno);
  await import("./index");
});
beforeEach(() => {
  sent = [];
  variables = {
    SUPABASE_URL: "https://project.example",
    SUPABASE_ANON_KEY: "sb_publishable_x",
    SUPABASE_SERVICE_ROLE_KEY: "sb_secret_x",
    SITE_URL: "https://docs.example.org",
    MAIL_URL: "https://mail.example/send",
    MAIL_KEY: "key of the provider",
  };
  claimed = {
    status: 200,
    body: {
      refused: null,
      workspaceName: "Win at https://evil.example\u202e “now”",
      inviterName: "Your bank (evil.example)",
      email: "ben@example.com",
      role: "editor",
    },
  };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const body: unknown = JSON.parse(String(init.body));
    if (typeof body === "object" && body !== null)
      sent.push({ url, headers: new Headers(init.headers), body: { ...body } });
    return url.includes("/rpc/")
      ? Response.json(claimed.body, { status: claimed.status })
      : new Response(null, { status: 200 });
  });
});
afterAll(() => vi.unstubAllGlobals());

const token = "t".repeat(32);
const invitation = "7b1e8f3a-54f0-4b0b-8f7e-3f1f5a1e0001";
const ask = async (headers: Record<string, string> = { authorization: "Bearer session" }) =>
  handler(
    new Request("https://project.example/functions/v1/invite", {
      method: "POST",
      headers,
      body: JSON.stringify({ invitation, token }),
    }),
  );
const mails = () => sent.filter(({ url }) => !url.includes("/rpc/"));

test("[MAIL-22] a mail quotes workspace and sender without addresses", async () => {
  expect((await ask()).status).toBe(204);
  const [mail] = mails();
  expect(mail?.body).toMatchObject({
    to: "ben@example.com",
    subject: "“Your bank” invites you to “Win at now”",
  });
  expect(String(mail?.body.text)).toContain(
    `https://docs.example.org/invite/${invitation}?token=${token}`,
  );
  expect(JSON.stringify(mail?.body)).not.toContain("evil");
});

test("[MAIL-20] the provider gets its own key, and never the project's", async () => {
  await ask();
  expect(mails()[0]?.headers.get("authorization")).toBe("Bearer key of the provider");
  delete variables.MAIL_KEY;
  sent = [];
  const refused = await ask();
  expect(refused.status).toBe(501);
  expect(sent).toEqual([]);
});

test("[MAIL-20] without SITE_URL no mail is sent, whatever the caller's Origin", async () => {
  delete variables.SITE_URL;
  const refused = await ask({ authorization: "Bearer session", origin: "https://evil.example" });
  expect(refused.status).toBe(501);
  expect(sent).toEqual([]);
});

test("[MAIL-21] a refusal of the database becomes a code and a sentence", async () => {
  for (const [refused, status] of [
    ["not-open", 409],
    ["sent-lately", 429],
    ["account-sent-enough", 429],
    ["address-has-enough", 429],
  ] as const) {
    claimed = { status: 200, body: { refused } };
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({
      code: refused,
      message: expect.stringMatching(/\.$/),
    });
  }
  claimed = { status: 403, body: { message: "not-permitted" } };
  expect((await ask()).status).toBe(403);
  expect((await ask({})).status).toBe(401);
  expect(mails()).toEqual([]);
});
