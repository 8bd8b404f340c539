import { randomUUID } from "node:crypto";
import postgres from "postgres";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeUser } from "@/app/_server/account/user-removal";
import { databaseUrl } from "@/tests/support/product/backend";
import { pageAs } from "@/tests/support/writers/pages";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";
import { memberOf } from "@/events/read-models/member-rows";
import { documentById } from "@/events/read-models/document-rows";
import { supabaseStore } from "@/events/log/store";

let stack: Stack;
let ana: Person;
let ben: Person;
let mallory: Person;
let workspace: string;

beforeAll(async () => {
  stack = await startStack();
  [ana, ben, mallory] = [
    await signUp(stack, "Ana"),
    await signUp(stack, "Ben"),
    await signUp(stack, "Mallory"),
  ];
  for (const { client, user } of [ana, ben, mallory])
    granted(
      await supabaseStore(client).append(user.id, null, [
        { id: randomUUID(), type: "account.created", body: {} },
      ]),
    );
  const document = await meet([ana, ben]);
  workspace = (await documentById(ana.client, document))?.workspaceId ?? "";
});
afterAll(() => stack.dispose());

async function asked(person: Person, method: string, path: string, body?: object) {
  const ask = await pageAs(person);
  const answer = await ask(`${stack.url}${path}`, {
    method,
    headers: { "content-type": "application/json", origin: stack.url },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}

async function bring(person: Person, bytes: Buffer): Promise<number> {
  const path = `/account/picture/${randomUUID()}`;
  const begun = await asked(person, "POST", path, { bytes: bytes.length });
  const address = /"address":"([^"]*)"/.exec(begun.bytes.toString())?.[1] ?? "";
  const sent = await fetch(stack.url + address, {
    method: "PUT",
    body: new Blob([new Uint8Array(bytes)]),
  });
  expect([begun.status, sent.status]).toEqual([200, 200]);
  return (await asked(person, "PUT", path)).status;
}

const square = (background: string) =>
  sharp({ create: { width: 300, height: 300, channels: 3, background } })
    .png()
    .toBuffer();

/** Returns the address of a person's picture, as another member receives it. */
const addressOf = async (person: Person, reader = person): Promise<string> =>
  (await memberOf(reader.client, workspace, person.user.id))?.picture ?? "";
const namesIn = async (bucket: "avatars" | "uploads", { user }: Person) =>
  ((await service(stack).storage.from(bucket).list(user.id)).data ?? []).length;

test("[FILE-51] a picture becomes an upright square, without metadata", async () => {
  const photo = await sharp({
    create: { width: 900, height: 300, channels: 3, background: "teal" },
  })
    .withExif({ IFD0: { Make: "Camera-7" }, IFD3: { GPSLatitude: "45/1 48/1 0/1" } })
    .jpeg()
    .toBuffer();
  expect(await bring(ana, photo)).toBe(200);
  const { status, bytes } = await asked(ben, "GET", await addressOf(ana, ben));
  expect([status, bytes.includes("Camera-7")]).toEqual([200, false]);
  const { format, width, height, exif } = await sharp(bytes).metadata();
  expect([format, width, height, exif]).toEqual(["webp", 192, 192, undefined]);
});

test("[FILE-51] a file that is no image changes nothing", async () => {
  const before = await addressOf(ana);
  const page = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>");
  expect(await bring(ana, page)).toBe(422);
  const broken = (
    await sharp({ create: { width: 9, height: 9, channels: 3, background: "red" } })
      .png()
      .toBuffer()
  ).subarray(0, 60);
  expect(await bring(ana, broken)).toBe(422);
  expect(await asked(ana, "PUT", `/account/picture/${randomUUID()}`)).toMatchObject({
    status: 409,
  });
  expect(await addressOf(ana)).toBe(before);
  expect([await namesIn("avatars", ana), await namesIn("uploads", ana)]).toEqual([1, 0]);
});

test("[FILE-50] a repeated request is recorded once", async () => {
  const picture = (await addressOf(ana)).split("/").at(-1) ?? "";
  const before = await supabaseStore(ana.client).read(ana.user.id, 0);
  expect((await asked(ana, "PUT", `/account/picture/${picture}`)).status).toBe(200);
  expect(await supabaseStore(ana.client).read(ana.user.id, 0)).toEqual(before);
});

test("[FILE-53] [FILE-55] an unused picture is deleted, and at most so many wait for it", async () => {
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  const age = (minutes: number) => sql`
    update storage.objects set created_at = now() - ${minutes} * interval '1 minute'
    where bucket_id = 'avatars'`;
  const maintain = () =>
    fetch(`${stack.url}/upkeep`, {
      method: "POST",
      headers: { authorization: `Bearer ${stack.keys.secretKey}` },
    });
  try {
    const photo = await square("teal");
    const kept = service(stack).storage.from("avatars");
    await Promise.all(
      Array.from({ length: 30 }, () => kept.upload(`${ana.user.id}/${randomUUID()}`, photo)),
    );
    expect(await bring(ana, photo)).toBe(200);
    expect(await namesIn("avatars", ana)).toBe(32);
    expect(await bring(ana, photo)).toBe(429);
    await age(16);
    await expect
      .poll(async () => (await maintain(), namesIn("avatars", ana)), { timeout: 60_000 })
      .toBe(1);
    // The replaced picture is old too, and the product's own maintenance would delete it.
    await age(0);
    expect(await bring(ana, photo)).toBe(200);
    expect(await namesIn("avatars", ana)).toBe(2);
  } finally {
    await sql.end();
  }
});

test("[FILE-52] a picture is for its person and those who share a workspace now", async () => {
  const address = await addressOf(ana);
  const status = async (person: Person) => (await asked(person, "GET", address)).status;
  expect([await status(ana), await status(ben), await status(mallory)]).toEqual([200, 200, 404]);
  expect((await fetch(stack.url + address, { redirect: "manual" })).status).toBe(307);
  const subject = { kind: "member", id: ben.user.id } as const;
  granted(
    await supabaseStore(ana.client).append(workspace, null, [
      { id: randomUUID(), type: "member.removed", subject, body: {} },
    ]),
  );
  expect([await status(ana), await status(ben)]).toEqual([200, 404]);
  granted(
    await supabaseStore(ana.client).append(ana.user.id, null, [
      { id: randomUUID(), type: "account.picture_set", body: { picture: null } },
    ]),
  );
  expect(await status(ana)).toBe(404);
});

test("[FILE-53] goes with the user of a deleted account", async () => {
  expect(await bring(mallory, await square("maroon"))).toBe(200);
  await removeUser(service(stack), mallory.user.id);
  expect(await namesIn("avatars", mallory)).toBe(0);
});
