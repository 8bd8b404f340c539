import { expect, it } from "vitest";
import type { Proposal } from "@/events/core/envelope";
import { appendAtOnce } from "./append-at-once";
import { StoreFault } from "./store";

const proposal: Proposal = {
  id: "e",
  type: "document.edited",
  body: {},
  update: new Uint8Array(10),
};

function appending(answer: () => Promise<Response>, token: string | null = "token") {
  const sent: RequestInit[] = [];
  const append = appendAtOnce({
    url: "http://here",
    key: "key",
    token: () => token,
    person: () => "ana",
    send: (_address, init) => {
      sent.push(init);
      return answer();
    },
  });
  return { sent, append };
}

const refused = { code: "P0001", message: "too-large", details: "d", hint: "document_bytes" };

it("[SYNC-83] sends a keep-alive request in the calling tick, with the person's token", () => {
  const { sent, append } = appending(() => new Promise(() => {}));
  expect(append("s", [proposal])).not.toBeNull();
  expect(sent).toMatchObject([
    { method: "POST", keepalive: true, headers: { authorization: "Bearer token", apikey: "key" } },
  ]);
});

it("[SYNC-83] sends nothing without a session, or beyond the size of a keep-alive request", () => {
  const nobody = appending(() => new Promise(() => {}), null);
  expect(nobody.append("s", [proposal])).toBeNull();
  const { sent, append } = appending(() => new Promise(() => {}));
  expect(append("s", [{ ...proposal, update: new Uint8Array(50_000) }])).toBeNull();
  expect([...nobody.sent, ...sent]).toEqual([]);
});

const tokenOf = (sub: string) =>
  `e30.${Buffer.from(JSON.stringify({ sub })).toString("base64url")}.c2ln`;

it("[ACC-50] sends the last events of a page only under its own person's token, and names that person", () => {
  const other = appending(() => new Promise(() => {}), tokenOf("ben"));
  expect(other.append("s", [proposal])).toBeNull();
  expect(other.append("s", [proposal], "ana")).toBeNull();
  expect(other.sent).toEqual([]);
  const own = appending(() => new Promise(() => {}), tokenOf("ana"));
  expect(own.append("s", [proposal])).not.toBeNull();
  expect(own.append("s", [proposal], "ben")).toBeNull();
  expect(own.sent.map(({ body }) => JSON.parse(String(body)).actor)).toEqual(["ana"]);
});

it("[SYNC-83] returns a refusal as the store does, and throws any other error", async () => {
  const { append } = appending(async () => Response.json(refused, { status: 400 }));
  expect(await append("s", [proposal])).toEqual({
    ok: false,
    refusal: { name: "too-large", reason: "document_bytes", detail: "d" },
  });
  const failing = appending(async () => Response.json({ message: "no" }, { status: 503 }));
  await expect(failing.append("s", [proposal])).rejects.toBeInstanceOf(StoreFault);
});
