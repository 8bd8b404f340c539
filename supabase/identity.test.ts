import { createServer, type ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AuthUnreachable } from "./auth-reach";
import { identity } from "./identity";
import { requestClient } from "./server";

const ana = "11111111-1111-4111-8111-111111111111";
const now = () => Math.floor(Date.now() / 1000);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = () =>
  `${encode({ alg: "HS256", typ: "JWT" })}.${encode({
    sub: ana,
    aud: "authenticated",
    session_id: "s",
    email: "ana@example.com",
    iat: now() - 10,
    exp: now() + 600,
  })}.c2lnbmF0dXJl`;

type Answer = (outgoing: ServerResponse) => void;
const json =
  (status: number, body: unknown): Answer =>
  (outgoing) =>
    void outgoing
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(body));

let auth: Answer;
let database: Answer;
const server = createServer((incoming, outgoing) =>
  (incoming.url?.startsWith("/auth/v1/") ? auth : database)(outgoing),
);

beforeEach(async () => {
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  database = json(200, [{ current: true }]);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((settle) => server.close(settle));
});

/** A request of somebody whose session lasts as many seconds; `set` is what it changes of their cookies. */
function request(lasts: number) {
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
  );
  return { client, set };
}

const outages: [string, Answer][] = [
  ["answers 503", json(503, { message: "no" })],
  ["limits the rate", json(429, { code: 429, error_code: "over_request_rate_limit", msg: "no" })],
  [
    "is a login page of a network",
    (outgoing) => void outgoing.writeHead(403, { "content-type": "text/html" }).end("<html>"),
  ],
  ["closes the connection", (outgoing) => void outgoing.destroy()],
  ["does not answer", () => undefined],
];

describe.each(outages)("[ACC-18] an auth server that %s", (_, answer) => {
  beforeEach(() => {
    auth = answer;
    vi.spyOn(console, "error").mockReturnValue();
    return () => void vi.restoreAllMocks();
  });

  test("ends no session that is to be renewed", async () => {
    const { client, set } = request(-60);
    await expect(identity(client)).rejects.toBeInstanceOf(AuthUnreachable);
    expect(set).toEqual([]);
  });
});

describe("[ACC-7] [ACC-18] a token whose keys cannot be asked for", () => {
  beforeEach(() => {
    auth = json(503, { message: "no" });
  });

  test("is taken where the database takes it and knows its session", async () => {
    expect((await identity(request(600).client))?.userId).toBe(ana);
  });

  test("is nobody's proof where the database refuses it, or knows no such session", async () => {
    database = json(401, { code: "PGRST301", message: "bad signature" });
    await expect(identity(request(600).client)).rejects.toBeInstanceOf(AuthUnreachable);
    database = json(200, [{ current: false }]);
    await expect(identity(request(600).client)).rejects.toBeInstanceOf(AuthUnreachable);
  });

  test("cannot be checked where the database is out as well", async () => {
    database = json(503, { message: "no" });
    await expect(identity(request(600).client)).rejects.toBeInstanceOf(AuthUnreachable);
  });
});

test("[ACC-18] a session that is refused has ended, and is forgotten", async () => {
  auth = json(400, { code: 400, error_code: "refresh_token_not_found", msg: "Invalid" });
  const { client, set } = request(-60);
  expect(await identity(client)).toBeNull();
  expect(set).toContain("palimpsest-auth");
});
