import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { authCookie } from "../../cookie";
import { ThreadShares } from "../http/thread-shares";
import { pagesInTurn } from "./page-turns";
import { systemClock } from "../realtime/clock";
import { sign } from "../realtime/fake-client";

const secret = "a secret that is as long as one has to be";
const [ana, mallory] = [
  "5ad0a3a2-6f0a-4b3c-8d5c-1c33b7a0a001",
  "5ad0a3a2-6f0a-4b3c-8d5c-1c33b7a0a002",
];

/** Creates pages whose completion the test controls. */
function pages() {
  const begun: IncomingMessage[] = [];
  const endings = new Map<IncomingMessage, () => void>();
  const handle = (incoming: IncomingMessage) => {
    begun.push(incoming);
    return new Promise<void>((settle) => endings.set(incoming, settle));
  };
  const idle = () => new ThreadShares(systemClock, () => 0);
  const shares = { main: idle(), pages: idle() };
  return { begun, endings, answer: pagesInTurn({ handle }, secret, shares) };
}

function request(url: string, sub: string | null, key = secret) {
  const incoming = new IncomingMessage(new Socket());
  incoming.url = url;
  const claims = { sub, role: "authenticated", exp: 9e9 };
  const session = {
    access_token: sign(claims, { alg: "HS256" }, key),
    user: { id: sub, user_metadata: {} },
  };
  if (sub) incoming.headers.cookie = `${authCookie}=${encodeURIComponent(JSON.stringify(session))}`;
  return { incoming, outgoing: new ServerResponse(incoming) };
}

test("[DOOR-27] a person who requests many pages keeps no other caller waiting", async () => {
  const { begun, endings, answer } = pages();
  const many = Array.from({ length: 30 }, () => request("/d/1", mallory));
  for (const { incoming, outgoing } of many) void answer(incoming, outgoing, "127.0.0.1");
  const others = [request("/d/2", ana), request("/sign-in", null)];
  for (const { incoming, outgoing } of others) void answer(incoming, outgoing, "127.0.0.1");
  const file = request("/_next/static/chunks/a.js", mallory);
  void answer(file.incoming, file.outgoing, "127.0.0.1");
  await expect.poll(() => begun.length).toBe(7);
  const waiting = many.filter(({ incoming }) => !begun.includes(incoming));
  expect(waiting).toHaveLength(26);
  endings.get(begun[0] ?? file.incoming)?.();
  await expect.poll(() => begun.length).toBeGreaterThan(6);
});

test("[DOOR-27] a forged token does not count as an account", async () => {
  const { begun, answer } = pages();
  for (let at = 0; at < 30; at += 1) {
    const sub = ana.slice(0, -2) + String(10 + at);
    const { incoming, outgoing } = request("/sign-in", sub, `${at}${"x".repeat(40)}`);
    void answer(incoming, outgoing, "10.0.0.1");
  }
  const own = request("/", ana);
  void answer(own.incoming, own.outgoing, "10.0.0.1");
  await expect.poll(() => begun.includes(own.incoming)).toBe(true);
  expect(begun).toHaveLength(5);
});
