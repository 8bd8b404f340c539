import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AuthUnreachable } from "./auth-reach";
import { identity } from "./identity";
import { requestClient } from "./server";

const ana = "11111111-1111-4111-8111-111111111111";
const now = () => Math.floor(Date.now() / 1000);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const secret = "a-secret-of-this-test-that-is-long-enough";
function token() {
  const signed = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({
    sub: ana,
    aud: "authenticated",
    session_id: "s",
    email: "ana@example.com",
    iat: now() - 10,
    exp: now() + 600,
  })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

type Answer = (outgoing: ServerResponse) => void;
const json =
  (status: number, body: unknown): Answer =>
  (outgoing) =>
    void outgoing
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));

/** Serves these responses of auth and the database at one address until the test ends. */
async function project(auth: Answer, database: Answer = json(200, [{ current: true }])) {
  const server = createServer((incoming, outgoing) =>
    (incoming.url?.startsWith("/auth/v1/") ? auth : database)(outgoing),
  );
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  projects.push(server);
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

const projects: Server[] = [];

beforeAll(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  // The auth client logs every outage.
  vi.spyOn(console, "error").mockReturnValue();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const server of projects) {
    server.closeAllConnections();
    await new Promise((settle) => server.close(settle));
  }
});

/**
 * Creates a request to that project from a person whose session expires in `lasts` seconds; `set`
 * collects changes to their cookies.
 */
function request(url: string, lasts: number) {
  // The client reads the variable synchronously, so concurrent tests do not see each other's.
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", url);
  const session = {
    access_token: token(),
    refresh_token: "renewal",
    token_type: "bearer",
    expires_in: lasts,
    expires_at: now() + lasts,
    user: { id: ana, email: "ana@example.com" },
  };
  const set: string[] = [];
  const client = requestClient(
    {
      getAll: () => [{ name: "palimpsest-auth", value: `base64-${encode(session)}` }],
      setAll: (cookies) => set.push(...cookies.map(({ name }) => name)),
    },
    null,
    false,
  );
  return { client, set };
}

const out = json(503, { message: "no" });
const outages: [string, Answer][] = [
  ["answers 503", out],
  ["limits the rate", json(429, { code: 429, error_code: "over_request_rate_limit", msg: "no" })],
  [
    "is a login page of a network",
    (outgoing) => void outgoing.writeHead(403, { "content-type": "text/html" }).end("<html>"),
  ],
  ["closes the connection", (outgoing) => void outgoing.destroy()],
  ["does not answer", () => undefined],
];

// The auth server gets seconds to answer in each test, so the tests run concurrently.
describe.concurrent("an unreachable auth server", () => {
  test.each(outages)("[ACC-18] that %s ends no session due for renewal", async (_, answer) => {
    const { client, set } = request(await project(answer), -60);
    await expect(identity(client)).rejects.toBeInstanceOf(AuthUnreachable);
    expect(set).toEqual([]);
  });

  test.each([
    ["refuses it", json(401, { code: "PGRST301", message: "bad signature" })],
    ["knows no such session", json(200, [{ current: false }])],
  ])("[ACC-7] [ACC-18] leaves a token unproven when the database %s", async (_, database) => {
    const { client } = request(await project(out, database), 600);
    await expect(identity(client)).rejects.toBeInstanceOf(AuthUnreachable);
  });

  test("[ACC-7] [ACC-18] leaves a token unproven when the database is out as well", async () => {
    const { client } = request(await project(out, out), 600);
    await expect(identity(client)).rejects.toBeInstanceOf(AuthUnreachable);
  });
});

// Needs a response within the timeout, so this test does not run concurrently.
test("[ACC-7] [ACC-18] a token that the database accepts is accepted while auth is out", async () => {
  expect((await identity(request(await project(out), 600).client))?.userId).toBe(ana);
});

test("[ACC-18] a refused session has ended and is forgotten", async () => {
  const refused = json(400, {
    code: 400,
    error_code: "refresh_token_not_found",
    msg: "Invalid",
  });
  const { client, set } = request(await project(refused), -60);
  expect(await identity(client)).toBeNull();
  expect(set).toContain("palimpsest-auth");
});

test("[HOSTED-7] pages ask auth about an HS256 token once a minute", async () => {
  let asked = 0;
  const url = await project((outgoing) => {
    asked += 1;
    json(200, { id: ana, email: "ana@example.com", aud: "authenticated" })(outgoing);
  });
  vi.useFakeTimers({ toFake: ["Date"] });
  try {
    for (let page = 0; page < 5; page += 1)
      expect((await identity(request(url, 600).client))?.userId).toBe(ana);
    expect(asked).toBe(1);
    vi.setSystemTime(Date.now() + 61_000);
    await identity(request(url, 600).client);
    expect(asked).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test("[HOSTED-7] auth is not asked when the secret is known, and a forged token is refused", async () => {
  let asked = 0;
  const url = await project((outgoing) => {
    asked += 1;
    json(401, { code: 401, error_code: "bad_jwt", msg: "no" })(outgoing);
  });
  vi.stubEnv("SUPABASE_JWT_SECRET", "the-secret-of-another-project-000000");
  try {
    // The session is renewed, which auth refuses.
    expect(await identity(request(url, 600).client)).toBeNull();
    asked = 0;
    vi.stubEnv("SUPABASE_JWT_SECRET", secret);
    expect((await identity(request(url, 600).client))?.userId).toBe(ana);
    expect(asked).toBe(0);
  } finally {
    vi.stubEnv("SUPABASE_JWT_SECRET", "");
  }
});
