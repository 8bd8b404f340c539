import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { verifyChain } from "@/events/log/hash";
import { signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { newToken } from "@/tests/support/writers/workspaces";

let stack: Stack;
let ana: Person;
let ben: Person;
let mallory: Person;
const workspace = randomUUID();

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  ben = await signUp(stack, "Ben");
  mallory = await signUp(stack, "Mallory");
  await supabaseStore(ana.client).append(workspace, 0, [
    { id: randomUUID(), type: "workspace.created", body: { name: "W" } },
  ]);
});
afterAll(() => stack.dispose());

async function invite(email: string | null): Promise<{ invitation: string; token: string }> {
  const { token, tokenHash } = newToken();
  const invitation = randomUUID();
  const body = {
    kind: email === null ? "link" : "email",
    email,
    role: "editor",
    expiresAt: Date.now() + 60_000,
    tokenHash,
  };
  const appended = await supabaseStore(ana.client).append(workspace, null, [
    {
      id: randomUUID(),
      type: "invitation.created",
      subject: { kind: "invitation", id: invitation },
      body,
    },
  ]);
  expect(appended).toMatchObject({ ok: true });
  return { invitation, token };
}

it("[LOG-23] the address of an invitation must match the one in the signed token", async () => {
  const letter = await invite(ben.email);
  expect((await visitor(stack).rpc("preview_invitation", letter)).data).toMatchObject({
    workspaceName: "W",
    email: ben.email,
    phase: "open",
  });
  const refused = await mallory.client.rpc("accept_invitation", letter);
  expect([refused.error?.message, refused.status]).toEqual(["not-permitted", 403]);
  expect((await visitor(stack).rpc("accept_invitation", letter)).error).not.toBeNull();
  expect((await ben.client.rpc("accept_invitation", letter)).data).toEqual({
    workspaceId: workspace,
    role: "editor",
  });
  const { data } = await ana.client
    .from("members")
    .select("email, role")
    .eq("user_id", ben.user.id)
    .single();
  expect(data).toEqual({ email: ben.email, role: "editor" });
});

it("[LOG-20] a browser verifies what the real stack recorded", async () => {
  const store = supabaseStore(ben.client);
  const rows = await store.read(workspace, 0);
  expect(rows.length).toBeGreaterThan(2);
  expect(await verifyChain(rows)).toMatchObject({ ok: true, redacted: 0 });
  expect(await store.feed(workspace, 0)).toEqual(rows);
  expect(await store.read(workspace, 0, 2)).toEqual(rows.slice(0, 2));
});
