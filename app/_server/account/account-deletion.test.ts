import { createClient } from "@supabase/supabase-js";
import { expect, it } from "vitest";
import { WebSocket } from "ws";
import { deleteAccount } from "./account-deletion";

const deadlock = { code: "40P01", message: "deadlock detected", details: null, hint: null };
const done = { deleted: true, left: 0 };

/** Creates a fake database that returns the given answers in order and counts its requests. */
function answering(answers: readonly object[]) {
  let asked = 0;
  const fetch = async () => {
    const answer = answers[asked] ?? deadlock;
    asked += 1;
    return Response.json(answer, { status: answer === done ? 200 : 500 });
  };
  const client = createClient("http://db.example", "key", {
    global: { fetch },
    realtime: { transport: WebSocket as never },
  });
  return { client, asked: () => asked };
}

it("[ACC-45] retries a deletion that ends in a deadlock", async () => {
  const { client, asked } = answering([deadlock, deadlock, done]);
  expect(await deleteAccount(client, "ben@example.com")).toEqual(done);
  expect(asked()).toBe(3);
});

it("[ACC-45] fails after four deadlocks, and at once for another error", async () => {
  const locked = answering([]);
  await expect(deleteAccount(locked.client, "ben@example.com")).rejects.toThrow("deadlock");
  expect(locked.asked()).toBe(4);
  const broken = answering([{ ...deadlock, code: "57014", message: "canceled" }]);
  await expect(deleteAccount(broken.client, "ben@example.com")).rejects.toThrow("canceled");
  expect(broken.asked()).toBe(1);
});
