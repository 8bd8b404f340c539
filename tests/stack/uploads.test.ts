import { createHash, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unzipSync } from "fflate";
import sharp from "sharp";
import * as Y from "yjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schemaVersion } from "@/events/content/schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { standingFiles } from "@/events/core/standing-files";
import { attachmentsOf } from "@/events/proof/bundle-attachments";
import { bundleOf } from "@/events/proof/bundle.fixture";
import { checkBundle } from "@/events/proof/bundle-check";
import { documentById } from "@/events/read-models/document-rows";
import { supabaseStore } from "@/events/log/store";
import { planImport } from "@/machines/import/bundle-import";
import { appendImport } from "@/machines/import/importing";
import { restoredFiles, restoreFiles } from "@/machines/import/restored-files";
import type { RestoredFile } from "@/machines/import/restored-files";
import { objectPath } from "@/supabase/local/storage/file-storage";
import { pageAs } from "@/tests/support/writers/pages";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";

let stack: Stack;
let ana: Person;
let mallory: Person;
let hers: string;
let own: string;

beforeAll(async () => {
  stack = await startStack();
  [ana, mallory] = [await signUp(stack, "Ana"), await signUp(stack, "Mallory")];
  [hers, own] = [await meet([ana]), await meet([mallory])];
});
afterAll(() => stack.dispose());

async function asked(person: Person, method: string, path: string, body: object) {
  const ask = await pageAs(person);
  const answer = await ask(`${stack.url}${path}`, {
    method,
    headers: { "content-type": "application/json", origin: stack.url },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, text, address: /"address":"([^"]*)"/.exec(text)?.[1] ?? "" };
}

async function upload(person: Person, document: string, file: string, words: string | Uint8Array) {
  const path = `/d/${document}/files/${file}`;
  const bytes = Buffer.from(words);
  const begun = await asked(person, "POST", path, { bytes: bytes.length });
  const sent = await fetch(stack.url + begun.address, { method: "PUT", body: new Blob([bytes]) });
  expect([begun.status, sent.status]).toEqual([200, 200]);
  const plain = { name: "a.txt", kind: "file" };
  return (id: string, said: object = plain) => asked(person, "PUT", path, { id, ...said });
}

const workspaceOf = async (person: Person, document: string) =>
  (await documentById(person.client, document))?.workspaceId ?? "";
const namesIn = async (bucket: string, folder: string) =>
  ((await service(stack).storage.from(bucket).list(folder)).data ?? []).map(({ name }) => name);

test("[FILE-16] no words of a request make the service read a forbidden file", async () => {
  const words = "Only for Ana.";
  await (
    await upload(ana, hers, randomUUID(), words)
  )(randomUUID());
  const sha256 = createHash("sha256").update(words).digest("hex");
  const [workspace, mine] = [await workspaceOf(ana, hers), await workspaceOf(mallory, own)];
  expect(await namesIn("files", workspace)).toContain(sha256);
  const { id: me } = mallory.user;
  const ways = [
    `${mine}/${me}/../../../files/${workspace}/${sha256}`,
    `${me}/../../files/${workspace}/${sha256}`,
    `${mine}/${me}/../../../../../../rest/v1/documents?select=title`,
    `${me}/%2e%2e/%2e%2e/files/${workspace}/${sha256}`,
  ];
  for (const path of ways) {
    const file = randomUUID();
    const body = { id: randomUUID(), path, name: "a.txt", kind: "file" };
    const { status } = await asked(mallory, "PUT", `/d/${own}/files/${file}`, body);
    const inAddress = `/d/${own}/files/${encodeURIComponent(path)}`;
    const other = await asked(mallory, "PUT", inAddress, {
      id: randomUUID(),
      name: "a.txt",
      kind: "file",
    });
    const read = await (await pageAs(mallory))(`${stack.url}/files/${file}`);
    expect([status, other.status, read.status, path]).toEqual([400, 400, 404, path]);
  }
  expect(await namesIn("files", mine)).toEqual([]);
});

test("[FILE-16] a second upload replaces the first, and a refused one is deleted", async () => {
  const file = randomUUID();
  const workspace = await workspaceOf(mallory, own);
  await upload(mallory, own, file, "first");
  const settle = await upload(mallory, own, file, "second");
  const used = randomUUID();
  const taken = { id: used, type: "document.renamed", body: { title: "Mine" } };
  granted(await supabaseStore(mallory.client).append(own, null, [taken]));
  // The id of another event, so the log refuses this event every time.
  const { status } = await settle(used);
  expect(status).toBe(409);
  const maintain = () =>
    fetch(`${stack.url}/upkeep`, {
      method: "POST",
      headers: { authorization: `Bearer ${stack.keys.secretKey}` },
    });
  await expect
    .poll(async () => (await maintain(), namesIn("files", workspace)), { timeout: 30_000 })
    .toEqual([]);
  expect((await settle(randomUUID())).status).toBe(200);
  const read = await (await pageAs(mallory))(`${stack.url}/files/${file}`);
  expect(await read.text()).toBe("second");
  expect(await namesIn("uploads", mallory.user.id)).toEqual([]);
});

const storedAt = (bucket: string, name: string) =>
  join(stack.dataDir, "storage", objectPath(bucket, name));

test("[FILE-16] a transfer that outlives its upload is deleted", async () => {
  const file = randomUUID();
  const path = `/d/${own}/files/${file}`;
  const { address } = await asked(mallory, "POST", path, { bytes: 100_000 });
  let finish = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(100_000));
      finish = () => controller.close();
    },
  });
  // Node's type lacks `duplex`, which a streamed body needs.
  const init = { method: "PUT", body, duplex: "half" } as RequestInit;
  const sending = fetch(stack.url + address, init);
  const folder = dirname(storedAt("uploads", `${mallory.user.id}/${file}`));
  const drafts = async () =>
    (await readdir(folder)).filter((name) => /\.[0-9a-f-]{36}$/.test(name));
  await expect.poll(drafts, { timeout: 30_000 }).toHaveLength(1);
  const settle = await upload(mallory, own, file, "a second beginning");
  expect((await settle(randomUUID())).status).toBe(200);
  finish();
  expect((await sending).ok).toBe(false);
  await expect.poll(drafts, { timeout: 30_000 }).toEqual([]);
  expect(await readdir(folder)).not.toContain(
    basename(storedAt("uploads", `${mallory.user.id}/${file}`)),
  );
});

test("[FILE-29] an address takes one upload of the announced bytes, and nothing once it has ended", async () => {
  const file = randomUUID();
  const path = `/d/${own}/files/${file}`;
  const begin = async (words: string, announced: string) => {
    const sha256 = createHash("sha256").update(announced).digest("hex");
    const { address } = await asked(mallory, "POST", path, { bytes: words.length, sha256 });
    return address;
  };
  const send = async (address: string, words: string) =>
    (await fetch(stack.url + address, { method: "PUT", body: new Blob([words]) })).status;
  const said = { name: "a.txt", kind: "file" };
  const settle = async () => {
    const { status, text } = await asked(mallory, "PUT", path, { id: randomUUID(), ...said });
    return [status, /"name":"([^"]*)"/.exec(text)?.[1]];
  };
  const replaced = await begin("words", "words");
  const longer = await begin("words", "words");
  expect([await send(replaced, "words"), await send(longer, "words of more")]).toEqual([409, 413]);
  expect(await settle()).toEqual([409, "upload-missing"]);
  // The same number of bytes as announced, but different bytes.
  expect(await send(await begin("words", "other"), "words")).toBe(200);
  expect(await settle()).toEqual([409, "upload-missing"]);
  const address = await begin("words", "words");
  expect([await send(address, "words"), await send(address, "sword")]).toEqual([200, 409]);
  expect(await settle()).toEqual([200, "a.txt"]);
  expect(await send(address, "words")).toBe(409);
  expect(await send(address.replace(/&upload=[^&]*/, ""), "words")).toBe(409);
  expect(await namesIn("uploads", mallory.user.id)).toEqual([]);
});

test("[FILE-27] a small photograph with many pixels delays no other person's small image", async () => {
  const flat = { create: { width: 8_900, height: 8_900, channels: 3, background: "red" } } as const;
  const heavy = await sharp(flat).avif({ effort: 0, quality: 30 }).toBuffer();
  const small = await sharp({ create: { ...flat.create, width: 90, height: 60 } })
    .png()
    .toBuffer();
  const image = { name: "a.png", kind: "image" };
  const decoding: Promise<string>[] = [];
  for (let count = 0; count < 3; count += 1) {
    const settle = await upload(mallory, own, randomUUID(), heavy);
    decoding.push(settle(randomUUID(), image).then(({ status }) => `heavy ${status}`));
  }
  const settle = await upload(ana, hers, randomUUID(), small);
  const first = await Promise.race([
    ...decoding,
    settle(randomUUID(), image).then(({ status }) => `small ${status}`),
  ]);
  expect(first).toBe("small 200");
  expect(await Promise.all(decoding)).toEqual(["heavy 200", "heavy 200", "heavy 200"]);
});

const rowsOf = (person: Person, document: string) =>
  supabaseStore(person.client).read(document, 0, 1_000);

async function bytesFor(person: Person, file: string): Promise<Uint8Array> {
  const read = await (await pageAs(person))(`${stack.url}/files/${file}`);
  expect(read.status).toBe(200);
  return new Uint8Array(await read.arrayBuffer());
}

/** Imports a bundle for a person. Returns the new document, and the files that were sent. */
async function imported(person: Person, bundle: Uint8Array, workspaceId: string) {
  const checked = await checkBundle(bundle, () => undefined);
  const sha256 = createHash("sha256").update(bundle).digest("hex");
  const now = new Date().toISOString();
  const plan = { checked, file: sha256, workspaceId, newId: randomUUID, now };
  const document = randomUUID();
  const { signal } = new AbortController();
  const { append } = supabaseStore(person.client);
  const ways = { append, signal, newId: randomUUID, onDone: () => undefined };
  await appendImport({ document, appends: planImport(plan).appends, done: 0 }, ways);
  const sent: string[] = [];
  const send = async ({ file, event, bytes, body }: RestoredFile) => {
    const settle = await upload(person, document, file, bytes);
    const kind = body.type === "application/octet-stream" ? "file" : "image";
    const { status, text } = await settle(event, { name: body.name, kind, sha256: body.sha256 });
    sent.push(body.name);
    return status === 200 ? null : text;
  };
  const files = restoredFiles(checked, randomUUID);
  const outcome = await restoreFiles(document, { files, from: 0 }, { ...ways, send });
  expect(outcome).toEqual({ state: "whole" });
  return { document, sent };
}

test("[IMPORT-12] [FILE-25] [BUNDLE-14] an imported export has the same files, byte for byte", async () => {
  const document = await meet([ana]);
  const picture = () =>
    sharp({ create: { width: 90, height: 60, channels: 3, background: { r: 9, g: 99, b: 9 } } });
  const given = [
    ["shelf.jpg", "image", await picture().jpeg().toBuffer()],
    ["shelf.png", "image", await picture().png().toBuffer()],
    ["list.txt", "file", Buffer.from("Chairs, three.")],
  ] as const;
  for (const [name, kind, bytes] of given)
    await (
      await upload(ana, document, randomUUID(), bytes)
    )(randomUUID(), { name, kind });
  const rows = await rowsOf(ana, document);
  const files = new Map<string, Uint8Array>();
  for (const { file, body } of standingFiles(rows))
    files.set(body.sha256, await bytesFor(ana, file));
  expect(files.size).toBe(3);
  const bundle = await bundleOf(rows, files);

  const elsewhere = await imported(mallory, bundle, await workspaceOf(mallory, own));
  expect(elsewhere.sent).toEqual(given.map(([name]) => name));
  const again = await rowsOf(mallory, elsewhere.document);
  expect(attachmentsOf(again)).toEqual(attachmentsOf(rows));
  for (const { file, body } of standingFiles(again))
    expect(
      Buffer.compare(await bytesFor(mallory, file), files.get(body.sha256) ?? Buffer.of()),
    ).toBe(0);
  // Files that a workspace has stored are not sent again.
  expect((await imported(ana, bundle, await workspaceOf(ana, document))).sent).toEqual([]);
});

test("[IMPORT-12] a file that differs from the bundle's is not kept", async () => {
  const before = await namesIn("files", await workspaceOf(mallory, own));
  const settle = await upload(mallory, own, randomUUID(), "Something else.");
  const said = { name: "list.txt", kind: "file", sha256: "0".repeat(64) };
  const { status, text } = await settle(randomUUID(), said);
  expect([status, text]).toEqual([422, expect.stringContaining("not the file that the history")]);
  expect(await namesIn("files", await workspaceOf(mallory, own))).toEqual(before);
});

/** Writes an image into a text. */
async function show(person: Person, document: string, file: string) {
  const doc = new Y.Doc();
  const image = new Y.XmlElement("image");
  image.setAttribute("file", file);
  image.setAttribute("alt", "A shelf");
  doc.getXmlFragment("default").push([image]);
  const now = new Date();
  const edits = [{ update: Y.encodeStateAsUpdate(doc), time: now.getTime() }];
  const edited = {
    id: randomUUID(),
    type: "document.edited" as const,
    body: {},
    schema: schemaVersion,
    clientIds: [doc.clientID],
    update: encodeEdits(edits),
    clientTime: now.toISOString(),
  };
  granted(await supabaseStore(person.client).append(document, null, [edited]));
}

test("[FILE-18] [FORMAT-7] a pasted text has its image for readers alone", async () => {
  const [first, second] = [await meet([ana]), await meet([ana])];
  const file = randomUUID();
  const image = { name: "shelf.png", kind: "image" };
  const color = { r: 99, g: 9, b: 99 };
  const pixels = { width: 1500, height: 60, channels: 3, background: color } as const;
  const bytes = await sharp({ create: pixels }).png().toBuffer();
  await (
    await upload(ana, first, file, bytes)
  )(randomUUID(), image);
  const copy = (person: Person, document: string, id = randomUUID()) =>
    asked(person, "POST", `/d/${document}/files/${file}/copy`, { id });

  const refused = await copy(mallory, own);
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("not get it")]);
  expect((await copy(mallory, first)).status).toBe(403);
  expect((await rowsOf(mallory, own)).filter(({ subject }) => subject.id === file)).toEqual([]);

  const id = randomUUID();
  expect([(await copy(ana, second, id)).status, (await copy(ana, second, id)).status]).toEqual([
    200, 200,
  ]);
  const attached = standingFiles(await rowsOf(ana, second));
  expect(attached).toEqual(standingFiles(await rowsOf(ana, first)));
  const workspace = await workspaceOf(ana, second);
  const sha256 = attached[0]?.body.sha256 ?? "";
  expect(await namesIn("files", workspace)).toEqual([sha256, `${sha256}.1280`, `${sha256}.640`]);
  for (const type of ["document.trashed", "document.purged"] as const)
    granted(
      await supabaseStore(ana.client).append(first, null, [{ id: randomUUID(), type, body: {} }]),
    );
  expect((await bytesFor(ana, file)).length).toBeGreaterThan(0);

  await show(ana, second, file);
  const download = async (kind: string) => {
    const answer = await (await pageAs(ana))(`${stack.url}/d/${second}/download?as=${kind}`);
    expect(answer.status).toBe(200);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const page = new TextDecoder().decode(await download("html"));
  expect(page).toMatch(/<img alt="A shelf"[^>]* src="data:image\/webp;base64,/);
  const parts = Object.keys(unzipSync(await download("docx")));
  expect(parts.filter((name) => name.startsWith("word/media/"))).toHaveLength(1);
  expect(Buffer.from(await download("pdf")).includes("/Subtype /Image")).toBe(true);
});

test("[FILE-40] [FORMAT-7] a file is served in its own workspace, and in no other workspace's download", async () => {
  const elsewhere = await meet([ana]);
  const image = randomUUID();
  const png = await sharp({
    create: { width: 4, height: 4, channels: 3, background: "red" },
  })
    .png()
    .toBuffer();
  const said = { name: "a.png", kind: "image" };
  expect((await (await upload(ana, hers, image, png))(randomUUID(), said)).status).toBe(200);
  const ask = await pageAs(ana);
  const status = async (path: string) => (await ask(`${stack.url}${path}`)).status;
  const [here, there] = [await workspaceOf(ana, hers), await workspaceOf(ana, elsewhere)];
  expect([
    await status(`/files/${image}`),
    await status(`/files/${image}?workspace=${here}`),
    await status(`/files/${image}?workspace=${there}`),
    await status(`/files/${image}?workspace=%00`),
  ]).toEqual([200, 200, 404, 404]);
  const isIn = async (document: string) => {
    await show(ana, document, image);
    const answer = await ask(`${stack.url}/d/${document}/download?as=html`);
    return (await answer.text()).includes("data:image/");
  };
  expect([await isIn(hers), await isIn(elsewhere)]).toEqual([true, false]);
});

test("[FILE-16] [FILE-18] copies into other workspaces count as open uploads", async () => {
  const carol = await signUp(stack, "Carol");
  const [first, second] = [await meet([carol]), await meet([carol])];
  const file = randomUUID();
  await (
    await upload(carol, first, file, "Copied.")
  )(randomUUID());
  const person = carol.user.id;
  const begin = async (other: string) =>
    (await service(stack).rpc("begin_upload", { person, file: other })).data;
  const open: string[] = [];
  for (;;) {
    const other = randomUUID();
    if ((await begin(other)) !== true) break;
    open.push(other);
  }
  const copy = () => asked(carol, "POST", `/d/${second}/files/${file}/copy`, { id: randomUUID() });
  const refused = await copy();
  expect([refused.status, refused.text]).toEqual([429, expect.stringContaining("Paste it again")]);
  expect(await namesIn("files", await workspaceOf(carol, second))).toEqual([]);
  await service(stack).rpc("end_upload", { person, file: open[0] });
  expect((await copy()).status).toBe(200);
  // The upload ended with its copy, which frees a place.
  expect([await begin(randomUUID()), await begin(randomUUID())]).toEqual([true, false]);
});
