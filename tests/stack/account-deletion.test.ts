import { randomUUID } from "node:crypto";
import * as Y from "yjs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { textblockOf } from "@/tests/support/line";
import { pageAs } from "@/tests/support/writers/pages";
import { service, signInAgain, signUp, visitor } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { bringIn } from "@/tests/support/writers/writers";

let stack: Stack;
let ana: Person;
let ben: Person;
let workspace: string;
let document: string;

const canary = "zqbenalone";

/** Edits the document as this person. */
async function edit(person: Person, doc: Y.Doc, change: (text: Y.XmlText) => void) {
  let update: Uint8Array = new Uint8Array();
  doc.once("update", (made: Uint8Array) => (update = made));
  doc.transact(() => change(textblockOf(doc)));
  granted(
    await supabaseStore(person.client).append(document, null, [
      {
        id: randomUUID(),
        type: "document.edited",
        body: {},
        update,
        clientIds: [doc.clientID],
      },
    ]),
  );
  return update;
}

beforeAll(async () => {
  stack = await startStack();
  [ana, ben] = [await signUp(stack, "Ana"), await signUp(stack, "Ben")];
  [workspace, document] = [randomUUID(), randomUUID()];
  const append = async (person: Person, stream: string, type: string, body: object) =>
    granted(
      await supabaseStore(person.client).append(stream, null, [
        { id: randomUUID(), type, body: { ...body } },
      ]),
    );
  for (const person of [ana, ben]) {
    await append(person, person.user.id, "account.created", {});
    await append(person, person.user.id, "account.profile_changed", {
      name: person.name,
      color: null,
    });
  }
  await append(ana, workspace, "workspace.created", { name: "Tides" });
  await append(ana, document, "document.created", { workspaceId: workspace, title: "Log" });
  await bringIn(ana, ben, workspace, "editor");
  const hers = new Y.Doc();
  const begun = await edit(ana, hers, (text) => text.insert(0, "Ana was here. Not for long."));
  const his = new Y.Doc();
  Y.applyUpdate(his, begun);
  const added = await edit(ben, his, (text) => text.insert(0, `${canary} `));
  Y.applyUpdate(hers, added);
  // Part of Ana's text is deleted, and all of Ben's. Deleting his text does not make it hers.
  await edit(ana, hers, (text) => text.delete(0, canary.length + 1));
  await edit(ana, hers, (text) => text.delete(13, 14));
  const [thread, mine, theirs] = [randomUUID(), randomUUID(), randomUUID()];
  const said = async (person: Person, id: string, text: string) =>
    granted(
      await supabaseStore(person.client).append(document, null, [
        {
          id: randomUUID(),
          type: "comment.added",
          subject: { kind: "comment", id },
          body: { thread, text },
        },
      ]),
    );
  granted(
    await supabaseStore(ben.client).append(document, null, [
      {
        id: randomUUID(),
        type: "thread.opened",
        subject: { kind: "thread", id: thread },
        body: { start: "AA==", end: "AA==", quote: canary },
      },
    ]),
  );
  await said(ben, theirs, `${canary} said`);
  await said(ana, mine, "Ana said");
});
afterAll(() => stack.dispose());

const get = async (person: Person, path: string) => {
  const answer = await (await pageAs(person))(`${stack.url}${path}`);
  return { status: answer.status, text: await answer.text() };
};
const post = async (person: Person, email: string, alone: string[] = []) => {
  const answer = await (
    await pageAs(person)
  )(`${stack.url}/account/delete`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.url },
    body: JSON.stringify({ email, alone }),
  });
  return { status: answer.status, text: await answer.text() };
};

it("[ACC-30] [ACC-31] exports a person's own words, standing and deleted, and no others", async () => {
  const own = await get(ana, "/account/data");
  expect(JSON.parse(own.text)).toMatchObject({
    profile: { name: "Ana", email: ana.email },
    workspaces: [{ id: workspace, name: "Tides", role: "owner" }],
    documents: [{ id: document, title: "Log", trashed: false }],
  });
  const words = await get(ana, `/account/data?document=${document}`);
  expect(JSON.parse(words.text)).toMatchObject({
    passages: [
      { text: "Ana was here.", stands: true },
      { text: " Not for long.", stands: false },
    ],
    comments: [{ text: "Ana said" }],
  });
  for (const { text } of [own, words]) expect(text).not.toContain(canary);
  const his = await get(ben, `/account/data?document=${document}`);
  expect(his.text).toContain(canary);
  expect(his.text).not.toMatch(/Ana|long/);
});

it("[ACC-31] exports a restricted reader's own words, without their time of deletion", async () => {
  const grade = (viewer: string) =>
    supabaseStore(ana.client).append(workspace, null, [
      {
        id: randomUUID(),
        type: "workspace.history_graded",
        body: { viewer, commenter: "everything" },
      },
    ]);
  const role = (role: string) =>
    supabaseStore(ana.client).append(workspace, null, [
      {
        id: randomUUID(),
        type: "member.role_changed",
        subject: { kind: "member", id: ben.user.id },
        body: { role },
      },
    ]);
  granted(await grade("versions"));
  granted(await role("viewer"));
  const { text } = await get(ben, `/account/data?document=${document}`);
  expect(JSON.parse(text)).toMatchObject({ passages: [{ text: `${canary} `, stands: false }] });
  expect(text).not.toMatch(/deletedAt|Ana|long/);
  granted(await grade("everything"));
  granted(await role("editor"));
});

it("[AUTH-6] [ACC-42] [ACC-43] [ACC-44] ends an account’s sessions, frees its address, keeps the log", async () => {
  expect(await post(ana, ana.email)).toMatchObject({ status: 409 });
  expect(await post(ben, ana.email)).toMatchObject({ status: 409 });
  const theirs = await ben.client.auth.admin.deleteUser(ana.user.id);
  expect(theirs.error?.status).toBe(403);
  const elsewhere = await signInAgain(stack, ben);
  expect(JSON.parse((await post(ben, ben.email)).text)).toEqual({ deleted: true, left: 0 });
  for (const device of [ben, elsewhere])
    expect((await device.client.from("documents").select("id")).status).toBe(401);
  const { email, password } = ben;
  expect((await visitor(stack).auth.signInWithPassword({ email, password })).error).not.toBeNull();
  const again = await visitor(stack).auth.signUp({ email, password });
  expect(again.error).toBeNull();
  expect(again.data.user?.id).not.toBe(ben.user.id);
  const { data } = await ana.client
    .from("members")
    .select("name, phase, email")
    .eq("user_id", ben.user.id);
  expect(data).toEqual([{ name: "Former member", phase: "left", email: null }]);
  expect((await service(stack).rpc("read_deleted_accounts")).data).toEqual([]);
  const { status } = await get(ana, `/account/data?document=${document}`);
  expect(status).toBe(200);
});

it("[ACC-30] exports nothing of a workspace that the person has left", async () => {
  const carol = await signUp(stack, "Carol");
  await bringIn(ana, carol, workspace, "viewer");
  expect((await get(carol, `/account/data?document=${document}`)).status).toBe(200);
  granted(
    await supabaseStore(ana.client).append(workspace, null, [
      {
        id: randomUUID(),
        type: "member.removed",
        subject: { kind: "member", id: carol.user.id },
        body: {},
      },
    ]),
  );
  // The page accepts this text as the answer for this document, and continues with the others.
  expect(await get(carol, `/account/data?document=${document}`)).toEqual({
    status: 404,
    text: JSON.stringify({ message: "You can’t read this document any more." }),
  });
  const { text } = await get(carol, "/account/data");
  expect(JSON.parse(text)).toMatchObject({ workspaces: [], documents: [] });
  expect(text).not.toMatch(/Tides|Log/);
});

it("[ACC-47] deletes no workspace that was not shown for deletion", async () => {
  const carol = await signUp(stack, "Carol");
  const own = randomUUID();
  granted(
    await supabaseStore(carol.client).append(own, null, [
      { id: randomUUID(), type: "workspace.created", body: { name: "Dunes" } },
    ]),
  );
  const { status, text } = await post(carol, carol.email);
  expect([status, text]).toEqual([409, expect.stringContaining("Others have left")]);
  const { data } = await carol.client.from("workspaces").select("id");
  expect(data).toEqual([{ id: own }]);
  expect(JSON.parse((await post(carol, carol.email, [own])).text)).toEqual({
    deleted: true,
    left: 0,
  });
});
