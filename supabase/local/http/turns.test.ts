import { randomUUID } from "node:crypto";
import { createServer, request as send } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import {
  CallTurns,
  mostAppendCalls,
  mostAuthCalls,
  mostCalls,
  mostReads,
  mostOtherCalls,
} from "./call-turns";
import { answerBackend } from "../gateway";
import type { Backend } from "../gateway";
import { openMailbox } from "../mail/mailbox";
import { SharedBudget } from "./shared-budget";
import { systemClock } from "../realtime/clock";
import { signToken } from "../auth/tokens";
import type { Call } from "./call";
import { ThreadShares } from "./thread-shares";

const keys = {
  publishableKey: "sb_publishable_x",
  secretKey: "sb_secret_x",
  jwtSecret: "a secret of the test",
};
let close = () => undefined as void;
afterEach(() => {
  vi.useRealTimers();
  close();
});

/** Starts a gateway whose backend begins every call and answers none, on its own port. */
async function gateway() {
  const begun: string[] = [];
  const left: string[] = [];
  const calls: Call[] = [];
  const begin = (part: string) => {
    begun.push(part);
    return new Promise<Response>(() => undefined);
  };
  const backend: Backend = {
    keys,
    mailbox: await openMailbox("/nonexistent"),
    bodies: new SharedBudget({ perKey: Infinity, overall: Infinity }),
    shares: new ThreadShares(systemClock, () => 0),
    calls: new CallTurns(mostCalls),
    logCalls: new CallTurns(mostReads),
    appendCalls: new CallTurns(mostAppendCalls),
    authCalls: new CallTurns(mostAuthCalls),
    otherCalls: new CallTurns(mostOtherCalls),
    sessions: {
      holds: async () => true,
      hasEnded: () => false,
      onEnd: () => () => undefined,
      caughtUp: async () => undefined,
      close: async () => undefined,
    },
    rest: (call) => {
      calls.push(call);
      call.gone.addEventListener("abort", () => left.push("rest"));
      return begin("rest");
    },
    storage: () => begin("storage"),
    auth: () => begin("auth"),
    functions: () => begin("functions"),
    realtime: () => begin("realtime"),
  };
  const server = createServer((incoming, outgoing) => {
    void answerBackend(backend, "10.0.0.1", incoming, outgoing, false);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const leaving = new AbortController();
  close = () => {
    leaving.abort();
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, headers: Record<string, string>) =>
    void fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: { apikey: keys.publishableKey, ...headers },
      signal: leaving.signal,
    }).catch(() => undefined);
  return { port, begun, left, calls, leave: () => leaving.abort(), backend, ask };
}

const account = () => {
  const claims = { role: "authenticated", sub: randomUUID(), exp: Date.now() / 1000 + 600 };
  return { authorization: `Bearer ${signToken(claims, keys.jwtSecret)}` };
};

test.each([
  ["auth", "/auth/v1/token", "authCalls", mostAuthCalls],
  ["functions", "/functions/v1/invite", "otherCalls", mostOtherCalls],
  ["realtime", "/realtime/v1/api/broadcast", "otherCalls", mostOtherCalls],
  ["storage", "/storage/v1/object/list/files", "calls", mostCalls],
  ["rest", "/rest/v1/rpc/search", "calls", mostCalls],
  ["rest", "/rest/v1/rpc/read_events", "logCalls", mostReads],
  ["rest", "/rest/v1/rpc/append_events", "appendCalls", mostAppendCalls],
] as const)(
  "[API-73] calls of %s wait for those of their own account or network",
  async (part, path, lane, most) => {
    const { begun, backend, ask } = await gateway();
    for (let call = 0; call < 20; call += 1) ask(path, {});
    const begunOf = () => begun.filter((each) => each === part).length;
    await expect.poll(() => backend[lane].waiting).toBe(20 - most.answered);
    expect(begunOf()).toBe(most.answered);
    ask(path, account());
    await expect.poll(begunOf).toBe(most.answered + 1);
    ask(path, { apikey: keys.secretKey });
    await expect.poll(begunOf).toBe(most.answered + 2);
  },
);

test("[API-73] no kind of call waits for another kind", async () => {
  const { begun, ask } = await gateway();
  const own = account();
  for (let call = 0; call < 20; call += 1) ask("/rest/v1/rpc/search", own);
  for (let call = 0; call < 20; call += 1) ask("/functions/v1/invite", own);
  ask("/auth/v1/logout", own);
  ask("/rest/v1/rpc/append_events", own);
  await expect.poll(() => begun.length).toBe(4 + 4 + 1 + 1);
});

test.each(["read_events", "read_feed", "stream_topic"])(
  "[API-22] an append does not wait for %s, however many there are",
  async (read) => {
    const { begun, backend, ask } = await gateway();
    const accounts = Array.from({ length: 4 }, account);
    for (const each of accounts)
      for (let call = 0; call < 5; call += 1) ask(`/rest/v1/rpc/${read}`, each);
    // No read is answered before an append.
    await expect.poll(() => backend.logCalls.waiting).toBe(20 - mostReads.together);
    expect(begun).toHaveLength(mostReads.together);
    for (const each of accounts) ask("/rest/v1/rpc/append_events", each);
    await expect.poll(() => begun.length).toBe(mostReads.together + accounts.length);
  },
);

test("[API-90] an append is aborted when its caller disconnects", async () => {
  const { begun, left, leave, ask } = await gateway();
  ask("/rest/v1/rpc/append_events", account());
  await expect.poll(() => begun).toEqual(["rest"]);
  expect(left).toEqual([]);
  leave();
  await expect.poll(() => left).toEqual(["rest"]);
});

test("[API-95] REST receives the caller that the gateway verified, and the parsed URL", async () => {
  const { calls, ask } = await gateway();
  const own = account();
  ask("/rest/v1/rpc/search?limit=1", own);
  await expect.poll(() => calls.length).toBe(1);
  const [call] = calls;
  expect(call?.caller).toMatchObject({ kind: "person", claims: { role: "authenticated" } });
  expect(call?.caller.payer).toBe(call?.caller.claims?.sub);
  expect([call?.url.pathname, call?.url.search]).toEqual(["/rest/v1/rpc/search", "?limit=1"]);
});

test("[API-95] a call whose token expires while its body arrives is refused", async () => {
  const { port, begun, backend } = await gateway();
  let admit = () => undefined as void;
  const admitted = new Promise<void>((settle) => (admit = settle));
  const take = backend.bodies.take.bind(backend.bodies);
  // The gateway reserves room for a body between admission and reading.
  backend.bodies.take = (...reserved) => {
    admit();
    return take(...reserved);
  };
  const sent = send({
    port,
    method: "POST",
    path: "/rest/v1/rpc/append_events",
    headers: { apikey: keys.publishableKey, "content-length": 2, ...account() },
  });
  sent.write("{");
  await admitted;
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  sent.end("}");
  const [answer] = await once(sent, "response");
  expect([answer.statusCode, begun]).toEqual([401, []]);
  answer.resume();
});
