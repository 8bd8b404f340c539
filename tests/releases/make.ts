// `EXPERIMENTAL_STORAGE=1 npx tsx tests/releases/make.ts FOLDER`: writes the data by which later releases test that they open
// what this one made (tests/sql/start/release-data.test.ts). Run it once for each release.
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { getAuthSchemaSql, getStorageSchemaSql } from "@supabase/lite";
import * as Y from "yjs";
import { parseRow, toWire } from "@/events/core/envelope";
import type { Json, RawProposal } from "@/events/core/envelope";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { makeBundle } from "@/events/proof/bundle-making";
import { removeFolder } from "@/tests/support/product/data-folder";
import { textblockOf } from "@/tests/support/line";
import { testBackend } from "@/tests/support/product/backend";
import { service, visitor } from "@/tests/support/writers/people";
import { newToken } from "@/tests/support/writers/workspaces";

type Client = ReturnType<typeof visitor>;

/** Fixed, so that a test can sign in. */
const password = "correct horse battery staple";
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function call(client: Client, name: string, values: object): Promise<unknown> {
  const { data, error } = await client.rpc(name, values);
  if (error) throw new Error(`${name}: ${error.message} ${error.details}`);
  return data;
}

const append = (client: Client, stream: string, ...events: Omit<RawProposal, "id">[]) =>
  call(client, "append_events", {
    stream,
    expected_version: null,
    events: events.map((event) => toWire({ id: randomUUID(), ...event })),
  });

const plain = (type: string, body: Json) => ({ type, body });
const about = (kind: string, id: string, type: string, body: Json) => ({
  type,
  body,
  subject: { kind, id },
});

/** The event of a person who changes the text. */
function edit(doc: Y.Doc, change: () => void): Omit<RawProposal, "id"> {
  const updates: Uint8Array[] = [];
  const collect = (update: Uint8Array) => updates.push(update);
  doc.on("update", collect);
  doc.transact(change);
  doc.off("update", collect);
  const update = encodeEdits(updates.map((one) => ({ update: one, time: Date.now() })));
  return { type: "document.edited", body: {}, clientIds: [doc.clientID], update };
}

async function writeHistory(at: Parameters<typeof service>[0] & Parameters<typeof visitor>[0]) {
  const person = async (name: string) => {
    const client = visitor(at);
    const email = `${name.toLowerCase()}@example.com`;
    const { data, error } = await client.auth.signUp({ email, password });
    if (error || !data.user) throw new Error(`${name} could not sign up`, { cause: error });
    await append(client, data.user.id, plain("account.created", {}));
    await append(client, data.user.id, plain("account.profile_changed", { name, color: null }));
    return { client, id: data.user.id };
  };
  const [ana, ben] = [await person("Ana"), await person("Ben")];
  const [workspace, document, version, thread] = [0, 1, 2, 3].map(() => randomUUID()) as [
    string,
    string,
    string,
    string,
  ];
  await append(ana.client, workspace, plain("workspace.created", { name: "Garden" }));
  const invitation = randomUUID();
  const { token, tokenHash } = newToken();
  await append(
    ana.client,
    workspace,
    about("invitation", invitation, "invitation.created", {
      kind: "link",
      email: null,
      role: "editor",
      expiresAt: null,
      tokenHash,
    }),
  );
  await call(ben.client, "accept_invitation", { invitation, token });
  await append(
    ana.client,
    document,
    plain("document.created", { workspaceId: workspace, title: "Plans" }),
  );
  const own = new Y.Doc();
  await append(
    ana.client,
    document,
    edit(own, () => textblockOf(own).insert(0, "Ana sows peas.")),
  );
  const other = new Y.Doc();
  Y.applyUpdate(other, Y.encodeStateAsUpdate(own));
  await append(
    ben.client,
    document,
    edit(other, () => textblockOf(other).insert(14, " Ben waters them.")),
  );
  await append(
    ben.client,
    document,
    about("version", version, "version.named", { at: 3, name: "Spring" }),
  );
  await append(
    ben.client,
    document,
    about("thread", thread, "thread.opened", { start: "AAAB", end: "AAAC", quote: "peas" }),
  );
  await append(
    ana.client,
    document,
    about("comment", randomUUID(), "comment.added", { thread, text: "Beans, too." }),
  );
  await append(ana.client, document, plain("document.icon_set", { emoji: "🌱" }));
  const sha256 = createHash("sha256").update(picture).digest("hex");
  const { error } = await service(at)
    .storage.from("files")
    .upload(`${workspace}/${sha256}`, picture, { contentType: "image/png" });
  if (error) throw error;
  await append(
    ana.client,
    document,
    about("file", randomUUID(), "file.attached", {
      sha256,
      bytes: picture.length,
      name: "A pea.png",
      type: "image/png",
      width: 1,
      height: 1,
    }),
  );
  const rows = await call(ana.client, "read_events", { stream: document, after_version: 0 });
  if (!Array.isArray(rows)) throw new Error("read_events did not answer with a list");
  return { ana, ben, document, rows: rows.map(parseRow), sha256 };
}

/** What a Supabase project had before its first migration, in this release. */
async function projectSchema(): Promise<string> {
  const folder = "supabase/local/project-schema";
  const names = (await readdir(folder)).sort();
  const [roles, ...rest] = await Promise.all(
    names.map((name) => readFile(join(folder, name), "utf8")),
  );
  return [roles, getAuthSchemaSql(), getStorageSchemaSql(), ...rest].join("\n");
}

async function make(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), "palimpsest-"));
  const backend = await testBackend({ DATA_DIR: dataDir });
  const { ana, ben, document, rows, sha256 } = await writeHistory(backend);
  const last = rows.at(-1);
  if (!last) throw new Error("The document has no events");
  const { bytes } = await makeBundle({
    rows,
    people: new Map([
      [ana.id, { userId: ana.id, name: "Ana", color: 8 }],
      [ben.id, { userId: ben.id, name: "Ben", color: 0 }],
    ]),
    seen: null,
    title: "Plans",
    by: { userId: ana.id, name: "Ana", color: 8 },
    at: last.recordedAt,
    template:
      '<!doctype html><script type="application/json" id="content">"palimpsest content"</script><script></script>',
    files: new Map([[sha256, new Uint8Array(picture)]]),
    breathe: async () => undefined,
  });
  await writeFile(join(folder, "plans.palimpsest.zip"), bytes);
  await writeFile(join(folder, "project-schema.sql"), await projectSchema());
  await backend.stop();
  const file = join(folder, "workspace.backup");
  await promisify(execFile)("npx", ["tsx", "events/backup/backup.ts", file], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
  await removeFolder(dataDir);
  await writeFile(
    join(folder, "expected.json"),
    `${JSON.stringify({ document, head: last.hash, version: last.version, password }, null, 2)}\n`,
  );
  console.log(`Wrote ${folder}`);
}

await make(resolve(process.argv[2] ?? "tests/releases/0.1.0"));
// The clients' sockets would keep the process.
process.exit();
