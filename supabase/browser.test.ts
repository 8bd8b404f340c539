import { afterEach, beforeEach, expect, it, vi } from "vitest";
import WebSocket from "ws";
import { browserClient } from "./browser";
import { authCookie } from "./cookie";

const inAnHour = Math.floor(Date.now() / 1_000) + 3_600;
const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url");
const tokenOf = (sub: string) => `${part({ alg: "HS256" })}.${part({ sub, exp: inAnHour })}.c2ln`;

/** Returns a session cookie like the one that the sign-in page of any tab writes. */
const cookieOf = (user: string) =>
  `${authCookie}=base64-${part({
    access_token: tokenOf(user),
    refresh_token: "r",
    token_type: "bearer",
    expires_in: 3_600,
    expires_at: inAnHour,
    user: { id: user, email: `${user}@example.com`, user_metadata: {}, app_metadata: {}, aud: "" },
  })}`;

/** One page for all tests, because `@supabase/ssr` creates one client in a page. */
const page = { id: "ana" as string | null, doubt: vi.fn() };
const open = () => browserClient("http://here.invalid", "sb_publishable_key", page);
let cookies: { cookie: string };
let sent: { path: string; token: string | null }[];

beforeEach(() => {
  sent = [];
  page.id = "ana";
  page.doubt.mockReset();
  cookies = { cookie: cookieOf("ana") };
  vi.stubGlobal("document", cookies);
  vi.stubGlobal("window", { document: cookies });
  // Node 20 has no WebSocket.
  vi.stubGlobal("WebSocket", WebSocket);
  vi.stubGlobal("location", { protocol: "http:" });
  vi.stubGlobal("fetch", async (input: string | URL, init: RequestInit) => {
    const token = new Headers(init.headers).get("authorization");
    sent.push({ path: new URL(input).pathname, token: token?.replace("Bearer ", "") ?? null });
    return Response.json({});
  });
});
afterEach(() => vi.unstubAllGlobals());

it("[ACC-50] no request of a page uses another person's cookie that replaced its own", async () => {
  const client = open();
  await client.rpc("append_events", {});
  await client.realtime.setAuth();
  expect(client.realtime.accessTokenValue).toBe(tokenOf("ana"));
  expect(sent.map(({ token }) => token)).toEqual([tokenOf("ana")]);

  cookies.cookie = cookieOf("ben");
  const answer = await client.rpc("append_events", {});
  expect(answer.error).toMatchObject({ message: "not-permitted", hint: "other-account" });
  expect((await client.from("favourites").insert({})).error?.hint).toBe("other-account");
  expect((await client.functions.invoke("invite", { body: {} })).error).not.toBeNull();
  expect((await client.storage.from("files").upload("a", "b")).error).not.toBeNull();
  expect((await client.auth.updateUser({ password: "another one" })).error).not.toBeNull();
  // The heartbeat reads the token, and the client passes every new session to the channels.
  await client.realtime.setAuth();
  await client.realtime.setAuth(tokenOf("ben"));
  expect(client.realtime.accessTokenValue).toBe(tokenOf("ana"));
  expect(sent).toHaveLength(1);
  expect(page.doubt).toHaveBeenCalledTimes(5);

  cookies.cookie = cookieOf("ana");
  expect((await client.rpc("append_events", {})).error).toBeNull();
  await client.auth.stopAutoRefresh();
});

it("[ACC-53] a person's page sends no request after its session ended", async () => {
  const client = open();
  cookies.cookie = "";
  expect(await client.rpc("stream_topic", { stream: "s" })).toMatchObject({ status: 401 });
  expect(await client.from("favourites").insert({})).toMatchObject({ status: 401 });
  expect((await client.functions.invoke("invite", { body: {} })).error).not.toBeNull();
  expect((await client.storage.from("files").upload("a", "b")).error).not.toBeNull();
  expect(sent).toEqual([]);

  page.id = null;
  expect((await client.rpc("peek_invite", {})).error).toBeNull();
  expect(sent).toEqual([{ path: "/rest/v1/rpc/peek_invite", token: "sb_publishable_key" }]);
  await client.auth.stopAutoRefresh();
});
