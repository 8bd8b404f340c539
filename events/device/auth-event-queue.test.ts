import { expect, test } from "vitest";
import { queuedAuthEvent } from "@/events/auth/queued-auth-event";
import { storageQueue } from "./auth-event-queue";

/** A browser's Storage in memory. */
class MemoryStorage implements Storage {
  [name: string]: unknown;
  private readonly entries = new Map<string, string>();
  get length() {
    return this.entries.size;
  }
  // Browsers do not guarantee the order of keys.
  key = (index: number) => [...this.entries.keys()].sort()[index] ?? null;
  getItem = (key: string) => this.entries.get(key) ?? null;
  setItem = (key: string, value: string) => void this.entries.set(key, value);
  removeItem = (key: string) => void this.entries.delete(key);
  clear = () => this.entries.clear();
}

const ana = {
  userId: "11111111-1111-4111-8111-111111111111",
  email: "ana@example.com",
  name: "Ana",
  sessionId: "first",
  issuedAt: 1_800_000_000,
  expiresAt: 1_800_000_600,
  updatedAt: "2027-01-15T08:00:00Z",
};
const ben = { ...ana, userId: "22222222-2222-4222-8222-222222222222", email: "ben@example.com" };
const at = (minute: number) => `2027-01-15T08:0${minute}:00.000Z`;

test(
  "[ACC-3] auth events outlive the page and return in the order in which they were made, " +
    "separately for each person",
  () => {
    const storage = new MemoryStorage();
    const first = storageQueue(storage);
    first.put(queuedAuthEvent("signed-out", ana, at(2)));
    first.put(queuedAuthEvent("signed-in", ana, at(1)));
    first.put(queuedAuthEvent("signed-in", ben, at(0)));
    const later = storageQueue(storage);
    expect(later.waiting(ana.userId).map((authEvent) => authEvent.type)).toEqual([
      "auth.signed_in",
      "auth.signed_out",
    ]);
    later.take(queuedAuthEvent("signed-in", ana, at(9)).id);
    expect(first.waiting(ana.userId).map((authEvent) => authEvent.type)).toEqual([
      "auth.signed_out",
    ]);
  },
);

test(
  "[ACC-2] auth events of one millisecond keep their order, " +
    "however the browser orders its keys",
  () => {
    const types = ["signed-in", "password-recovery", "token-refreshed", "signed-out"] as const;
    const queue = storageQueue(new MemoryStorage());
    for (const type of types) queue.put(queuedAuthEvent(type, ana, at(1)));
    queue.put(queuedAuthEvent("signed-in", ana, at(1)));
    expect(queue.waiting(ana.userId).map((authEvent) => authEvent.id)).toEqual(
      types.map((type) => queuedAuthEvent(type, ana, at(1)).id),
    );
  },
);

test("[ACC-2] the id of an auth event depends on the change, not on the tab or the clock", () => {
  expect(queuedAuthEvent("signed-in", ana, at(1)).id).toBe(
    queuedAuthEvent("signed-in", ana, at(5)).id,
  );
  const others = [
    queuedAuthEvent("signed-out", ana, at(1)),
    queuedAuthEvent("signed-in", { ...ana, sessionId: "second" }, at(1)),
    queuedAuthEvent("signed-in", { ...ana, issuedAt: ana.issuedAt + 1 }, at(1)),
    queuedAuthEvent("signed-in", ben, at(1)),
    queuedAuthEvent("user-updated", ana, at(1), ["email"]),
    queuedAuthEvent("user-updated", ana, at(1), ["password"]),
  ].map((authEvent) => authEvent.id);
  expect(new Set([...others, queuedAuthEvent("signed-in", ana, at(1)).id]).size).toBe(
    others.length + 1,
  );
});

test("the latest twenty known sessions are remembered, and a torn entry is ignored", () => {
  const storage = new MemoryStorage();
  storage.setItem("palimpsest:statement:torn", '{"id":');
  storage.setItem("palimpsest:sessions", "nonsense");
  const queue = storageQueue(storage);
  expect(queue.waiting(ana.userId)).toEqual([]);
  for (let session = 0; session < 25; session++) queue.know(`session-${session}`);
  expect(queue.knows("session-24")).toBe(true);
  expect(queue.knows("session-5")).toBe(true);
  expect(queue.knows("session-4")).toBe(false);
});
