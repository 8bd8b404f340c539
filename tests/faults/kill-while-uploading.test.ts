import { createHash, randomBytes, randomUUID } from "node:crypto";
import { request } from "node:http";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { documentById } from "@/events/read-models/document-rows";
import { objectPath } from "@/supabase/local/storage/file-storage";
import { databaseUrl } from "@/tests/support/product/backend";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";

const patient = { timeout: 60_000, interval: 20 };

let stack: Stack;
let ana: Person;
let document: string;
let workspace: string;

beforeAll(async () => {
  stack = await startStack();
  ana = await signUp(stack, "Ana");
  document = await meet([ana]);
  workspace = (await documentById(ana.client, document))?.workspaceId ?? "";
});
afterAll(() => stack.dispose());

/** A file that is being uploaded, with the ids that its page uses on every retry. */
type Sending = { file: string; event: string; bytes: Buffer };

const newSending = (): Sending => ({
  file: randomUUID(),
  event: randomUUID(),
  bytes: randomBytes(6_000_000),
});

async function asked(method: string, file: string, body: object) {
  const ask = await pageAs(ana);
  return ask(`${stack.url}/d/${document}/files/${file}`, {
    method,
    headers: { "content-type": "application/json", origin: stack.url },
    body: JSON.stringify(body),
  });
}

async function begin({ file, bytes }: Sending): Promise<string> {
  const answer = await asked("POST", file, { bytes: bytes.length });
  expect(answer.status).toBe(200);
  return stack.url + (/"address":"([^"]*)"/.exec(await answer.text())?.[1] ?? "");
}

async function send({ bytes }: Sending, address: string): Promise<void> {
  const sent = await fetch(address, { method: "PUT", body: new Uint8Array(bytes) });
  expect(sent.status).toBe(200);
}

const settle = ({ file, event }: Sending) =>
  asked("PUT", file, { id: event, name: "plan.bin", kind: "file" });

/** Acts like the page's "Retry": sends everything again with the same ids. */
async function retry(sending: Sending): Promise<void> {
  await send(sending, await begin(sending));
  expect((await settle(sending)).status).toBe(200);
}

/** Returns the files of stored objects, and their sizes. */
async function filesOnDisk(): Promise<Map<string, number>> {
  const folder = join(stack.dataDir, "storage");
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sized = names.map(async (name) => {
    const found = await stat(join(folder, name)).catch(() => null);
    return [basename(name), found?.isFile() === true ? found.size : -1] as const;
  });
  return new Map((await Promise.all(sized)).filter(([, size]) => size >= 0));
}

async function database<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 2, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const objects = () =>
  database(async (sql) => {
    const rows = await sql<{ bucket: string; name: string }[]>`
      select bucket_id as bucket, name from storage.objects order by bucket_id, name`;
    return rows.map(({ bucket, name }) => ({ bucket, name }));
  });

/** Returns the events that attached this file to the document. */
const attachments = async ({ file }: Sending) =>
  (await supabaseStore(ana.client).read(document, 0, 1_000)).filter(
    ({ type, subject }) => type === "file.attached" && subject.id === file,
  );

async function read({ file }: Sending) {
  const answer = await (await pageAs(ana))(`${stack.url}/files/${file}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, sha256: createHash("sha256").update(bytes).digest("hex") };
}

const maintain = () =>
  fetch(`${stack.url}/upkeep`, {
    method: "POST",
    headers: { authorization: `Bearer ${stack.keys.secretKey}` },
  });

/** Sends only the first half of the bytes. Resolves when the product has begun to write them. */
async function sendHalf({ bytes }: Sending, address: string): Promise<void> {
  const half = bytes.subarray(0, bytes.length / 2);
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(bytes.length),
  };
  const sending = request(address, { method: "PUT", headers });
  // The product is killed during this request.
  sending.on("error", () => undefined);
  sending.write(half);
  const isWritten = async () =>
    [...(await filesOnDisk())].some(([name, size]) => name.length > 64 && size > half.length / 2);
  await expect.poll(isWritten, patient).toBe(true);
}

/**
 * Has the service settle an upload while a row that it needs is locked. Kills the product once
 * `isThere` holds: all steps before the lock are done then, and none after it. Returns a function
 * that unlocks the row. An earlier unlock would let the orphaned database continue.
 */
async function killWhileHeld(
  sending: Sending,
  hold: (sql: Sql) => Promise<unknown>,
  isThere: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const sql = postgres(await databaseUrl(stack.dataDir), { max: 1, onnotice: () => undefined });
  await sql`begin`;
  await hold(sql);
  const settling = settle(sending).catch(() => null);
  await expect.poll(isThere, patient).toBe(true);
  await stack.kill();
  await settling;
  return () => sql.end({ timeout: 0 });
}

type Kill = (sending: Sending) => Promise<void | (() => Promise<void>)>;

const moments: Record<string, { recorded: number; kill: Kill }> = {
  "in the middle of sending": {
    recorded: 0,
    async kill(sending) {
      await sendHalf(sending, await begin(sending));
      await stack.kill();
    },
  },
  "between sent and settled": {
    recorded: 0,
    async kill(sending) {
      await send(sending, await begin(sending));
      await stack.kill();
    },
  },
  "between stored and recorded": {
    recorded: 0,
    async kill(sending) {
      await send(sending, await begin(sending));
      const isStored = async () => (await objects()).some(({ name }) => name === stored(sending));
      const appends = (sql: Sql) =>
        sql`select from private.feeds where workspace_id = ${workspace} for update`;
      return killWhileHeld(sending, appends, isStored);
    },
  },
  "between recorded and taken away from the uploads": {
    recorded: 1,
    async kill(sending) {
      await send(sending, await begin(sending));
      const isRecorded = async () => (await attachments(sending)).length === 1;
      const ends = (sql: Sql) =>
        sql`select from private.open_uploads where file = ${sending.file} for update`;
      return killWhileHeld(sending, ends, isRecorded);
    },
  },
};

const hashOf = ({ bytes }: Sending) => createHash("sha256").update(bytes).digest("hex");
const stored = (sending: Sending) => `${workspace}/${hashOf(sending)}`;

const kept: Sending[] = [];

it.for(Object.entries(moments))(
  "[START-3] [FILE-14] [FILE-16] an upload whose product is killed %s is retried: attached " +
    "once, whole, with nothing left over",
  async ([, { recorded, kill }]) => {
    const sending = newSending();
    const release = await kill(sending);
    await stack.restart();
    await release?.();
    // No half of the upload is visible anywhere.
    await expect.poll(() => attachments(sending), patient).toHaveLength(recorded);
    expect((await read(sending)).status).toBe(recorded === 0 ? 404 : 200);

    await retry(sending);
    kept.push(sending);
    expect(await attachments(sending)).toHaveLength(1);
    expect(await read(sending)).toEqual({ status: 200, sha256: hashOf(sending) });

    expect((await maintain()).status).toBe(200);
    const names = kept.map(stored).toSorted();
    expect(await objects()).toEqual(names.map((name) => ({ bucket: "files", name })));
    const paths = names.map((name) => basename(objectPath("files", name)));
    expect([...(await filesOnDisk()).keys()].toSorted()).toEqual(
      paths.flatMap((path) => [path, `${path}.json`]).toSorted(),
    );
    const open = await database((sql) => sql`select from private.open_uploads`);
    expect(open).toHaveLength(0);
    for (const one of kept) expect((await read(one)).sha256).toBe(hashOf(one));
  },
);
