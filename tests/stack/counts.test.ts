import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let stack: TestBackend;
let mallory: Person;
beforeAll(async () => {
  stack = await testBackend();
  const ana = await signUp(stack, "Ana");
  mallory = await signUp(stack, "Mallory");
  const event = (type: string, body: unknown) => ({
    id: randomUUID(),
    type,
    body: JSON.stringify(body),
  });
  const append = (stream: string, ...events: object[]) =>
    ana.client.rpc("append_events", { stream, expected_version: 0, events });
  const workspace = randomUUID();
  await append(workspace, event("workspace.created", { name: "Secret plans" }));
  for (let index = 0; index < 20; index += 1)
    await append(
      randomUUID(),
      event("document.created", { workspaceId: workspace, title: "Secret plan" }),
    );
  // The statistics of a hosted project before its statistics were switched off.
  await stack.sql.unsafe(
    "alter table public.documents alter column title set statistics 100; analyze " +
      "public.documents; analyze public.events",
  );
});
afterAll(() => stack.stop());

const counted = async (prefer: string[], token: string) => {
  const headers = new Headers({
    apikey: stack.keys.publishableKey,
    authorization: `Bearer ${token}`,
  });
  for (const value of prefer) headers.append("prefer", value);
  const answer = await fetch(`${stack.url}/rest/v1/documents?select=id&title=eq.Secret%20plan`, {
    method: "HEAD",
    headers,
  });
  return answer.headers.get("content-range")?.split("/")[1];
};

test.each([
  [["count=exact"]],
  [["count=planned"]],
  [["count=estimated"]],
  [["count=planned, return=minimal"]],
  [["return=minimal", "count=planned"]],
  [["count=planned", "count=exact"]],
  [[" count = planned "]],
  [["tx=commit,count=estimated"]],
])("[API-10] %j counts the rows that a person can see", async (prefer) => {
  expect(await counted(prefer, await mallory.accessToken())).toBe("0");
});

test("[API-10] supabase-js gets it too, and the service keeps its estimates", async () => {
  const ask = (person: Pick<Person, "client">) =>
    person.client
      .from("documents")
      .select("id", { count: "planned", head: true })
      .eq("title", "Secret plan");
  expect((await ask(mallory)).count).toBe(0);
  expect((await ask({ client: service(stack) })).count).toBe(20);
});

test("[API-10] only the service sees a query plan", async () => {
  const headers = {
    apikey: stack.keys.publishableKey,
    authorization: `Bearer ${await mallory.accessToken()}`,
    accept: "application/vnd.pgrst.plan+json",
  };
  expect((await fetch(`${stack.url}/rest/v1/documents?title=lt.Z`, { headers })).status).toBe(406);
});
