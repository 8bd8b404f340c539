import { randomInt, randomUUID } from "node:crypto";
import * as Y from "yjs";
import { toBase64 } from "@/events/core/bytes/base64";
import type { RawProposal } from "@/events/core/envelope";
import { segmentFormat } from "@/events/history/segments/segment-store";
import { supabaseStore } from "@/events/log/store";
import { pageAs } from "@/tests/support/writers/pages";
import { service, signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import type { Stack } from "@/tests/support/product/stack";
import { textblockOf } from "@/tests/support/line";
import { granted, newToken } from "@/tests/support/writers/workspaces";
import { newCanary } from "./canaries";
import type { Canaries } from "./canaries";

/** The ids by which a workspace and its contents are requested. */
export type Target = {
  workspace: string;
  document: string;
  /** A version of the document that has a name. */
  named: number;
  /** A version that contains words and may be redacted. */
  spare: number;
  /** An event with words. */
  event: string;
  invitation: string;
  token: string;
  /** The owner, and one of their sessions. */
  person: string;
  session: string;
  /** An object in storage. */
  file: string;
  /** A file of the document. */
  attached: string;
  /** The owner's picture. */
  picture: string;
  /** A text of the document. */
  words: string;
};

/** A workspace with a canary in every place. */
export type Scene = Target & { owner: Person; canaries: Canaries };

type Wire = Omit<RawProposal, "id"> & { id?: string };

/** Creates a workspace in which every text is a canary. */
export async function newScene(stack: Stack): Promise<Scene> {
  const canaries = {
    "workspace name": newCanary("workspace name"),
    "owner name": newCanary("owner name"),
    account: newCanary("account"),
    invitation: newCanary("invitation"),
    title: newCanary("title"),
    "former title": newCanary("former title"),
    text: newCanary("text"),
    "deleted text": newCanary("deleted text"),
    "named text": newCanary("named text"),
    "redacted text": newCanary("redacted text"),
    "version name": newCanary("version name"),
    comment: newCanary("comment"),
    "deleted comment": newCanary("deleted comment"),
    "file name": newCanary("file name"),
    "file content": newCanary("file content"),
    "attached content": newCanary("attached content"),
    "picture content": newCanary("picture content"),
  };
  const owner = await signUp(stack, canaries["owner name"]);
  const store = supabaseStore(owner.client);
  const ids = {
    workspace: randomUUID(),
    document: randomUUID(),
    invitation: randomUUID(),
  };
  const [thread, first, second] = [randomUUID(), randomUUID(), randomUUID()];
  const append = async (stream: string, ...events: Wire[]) =>
    granted(
      await store.append(
        stream,
        null,
        events.map((event) => ({ id: randomUUID(), ...event })),
      ),
    ).rulings;
  await append(
    owner.user.id,
    { type: "account.created", body: {} },
    { type: "account.profile_changed", body: { name: canaries["owner name"], color: null } },
    { type: "auth.user_updated", body: { fields: [canaries.account] } },
  );
  await append(ids.workspace, {
    type: "workspace.created",
    body: { name: canaries["workspace name"] },
  });
  const doc = new Y.Doc();
  // Ten digits that occur in no other place.
  doc.clientID = randomInt(1_000_000_000, 4_000_000_000);
  const edited = (change: (text: Y.XmlText) => void): Wire => {
    let update: Uint8Array = new Uint8Array();
    doc.once("update", (made: Uint8Array) => (update = made));
    doc.transact(() => change(textblockOf(doc)));
    return { type: "document.edited", body: {}, update, clientIds: [doc.clientID] };
  };
  const inserted = (word: string) => edited((text) => text.insert(0, `${word} `));
  const removed = (word: string) => edited((text) => text.delete(0, word.length + 1));
  await append(ids.document, {
    type: "document.created",
    body: { workspaceId: ids.workspace, title: canaries["former title"] },
  });
  const rulings = await append(
    ids.document,
    inserted(canaries.text),
    inserted(canaries["deleted text"]),
    removed(canaries["deleted text"]),
    inserted(canaries["redacted text"]),
    removed(canaries["redacted text"]),
    inserted(canaries["named text"]),
    { type: "document.renamed", body: { title: canaries.title } },
  );
  const [event, redacted, named] = [rulings[0], rulings[3], rulings[6]];
  if (!event || !redacted || !named) throw new Error("The document has no history.");
  const about = (kind: string, id: string) => ({ subject: { kind, id } });
  const said = (id: string, text: string): Wire => ({
    ...about("comment", id),
    type: "comment.added",
    body: { thread, text },
  });
  const { token, tokenHash } = newToken();
  await append(
    ids.document,
    {
      ...about("version", randomUUID()),
      type: "version.named",
      body: { at: named.version, name: canaries["version name"] },
    },
    removed(canaries["named text"]),
    inserted("spare"),
  );
  await append(
    ids.document,
    {
      ...about("thread", thread),
      type: "thread.opened",
      body: { start: "AAAB", end: "AAAC", quote: "these words" },
    },
    said(first, canaries.comment),
    said(second, canaries["deleted comment"]),
    { ...about("comment", second), type: "comment.deleted", body: {} },
  );
  await append(ids.workspace, {
    ...about("invitation", ids.invitation),
    type: "invitation.created",
    body: {
      kind: "email",
      email: `${canaries.invitation}@example.com`,
      role: "editor",
      expiresAt: null,
      tokenHash,
    },
  });
  await redact(stack, owner, ids.document, redacted.version);
  const picture = randomUUID();
  const kept = await service(stack)
    .storage.from("avatars")
    .upload(`${owner.user.id}/${picture}`, canaries["picture content"]);
  if (kept.error) throw kept.error;
  await append(owner.user.id, { type: "account.picture_set", body: { picture } });
  const attached = await attach(stack, owner, ids.document, canaries["attached content"]);
  const { session_id: session } = claimsOf(await owner.accessToken());
  const scene = {
    ...ids,
    owner,
    canaries: {
      ...canaries,
      "owner address": owner.email,
      thread,
      event: event.id,
      "client id": String(doc.clientID),
    },
    named: named.version,
    spare: named.version + 3,
    event: event.id,
    token,
    person: owner.user.id,
    session: String(session),
    file: canaries["file name"],
    attached,
    picture,
    // Not a canary, because a thread on these words would quote them.
    words: "spare",
  };
  await keepCaches(stack, scene);
  await derivedLines(stack, scene);
  const own = bound(owner.client);
  await own.rpc("mark_seen", { document: ids.document, version: named.version, opened: true });
  await own.rpc("mark_all_read", { workspace: ids.workspace, until: "2026-11-01" });
  return scene;
}

async function redact(stack: Stack, owner: Person, document: string, version: number) {
  const answer = await (
    await pageAs(owner)
  )(`${stack.url}/d/${document}/redact`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: stack.url },
    body: JSON.stringify({ id: randomUUID(), version, reason: "Leaked", quotes: [] }),
  });
  if (!answer.ok) throw new Error(`The redaction was answered ${answer.status}.`);
}

/** Adds a file to a document as its page does, and returns the file's id. */
async function attach(stack: Stack, owner: Person, document: string, words: string) {
  const ask = await pageAs(owner);
  const file = randomUUID();
  const call = async (method: string, path: string, body: object) => {
    const answer = await ask(`${stack.url}${path}`, {
      method,
      headers: { "content-type": "application/json", origin: stack.url },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`);
    return answer.json();
  };
  const content = new TextEncoder().encode(words);
  const path = `/d/${document}/files/${file}`;
  const begun: { address: string } = await call("POST", path, { bytes: content.length });
  const sent = await fetch(`${stack.url}${begun.address}`, { method: "PUT", body: content });
  if (!sent.ok) throw new Error(`The upload was answered ${sent.status}.`);
  await call("PUT", path, { id: randomUUID(), name: "paper.txt", kind: "file" });
  return file;
}

/** Waits until the service has derived the document's change lines. */
async function derivedLines(stack: Stack, { document, canaries }: Scene): Promise<void> {
  const rows = service(stack).from("change_lines").select("parts").eq("stream_id", document);
  for (;;) {
    const { data, error } = await rows;
    if (error) throw error;
    const parts = JSON.stringify(data);
    if (parts.includes(canaries.title) && parts.includes(canaries["version name"])) return;
    await new Promise((again) => setTimeout(again, 500));
  }
}

/** Gives the document a snapshot and a segment that contain deleted text. */
export async function keepCaches(
  stack: Stack,
  { document, canaries }: Pick<Scene, "document" | "canaries">,
): Promise<void> {
  const { rpc } = bound(service(stack));
  const rows = await supabaseStore(service(stack)).read(document, 0);
  const head = rows.at(-1);
  if (!head) throw new Error("The document has no log.");
  const bytes = toBase64(new TextEncoder().encode(canaries["deleted text"]));
  const { version } = head;
  await rpc("write_snapshot", { stream: document, version, state: bytes, seen: version });
  await rpc("write_segment", {
    stream: document,
    from_version: 1,
    to_version: version,
    seen: version,
    format: segmentFormat,
    moments: 1,
    head: head.hash,
    bytes,
  });
}

function bound(client: Person["client"]) {
  return {
    async rpc(name: string, args: object): Promise<void> {
      const { error } = await client.rpc(name, args);
      if (error) throw error;
    },
  };
}

/** Returns the claims of a token. */
export function claimsOf(token: string): Record<string, unknown> {
  const claims: unknown = JSON.parse(
    Buffer.from(token.split(".")[1] ?? "", "base64url").toString(),
  );
  if (typeof claims !== "object" || claims === null) throw new Error("The token has no claims.");
  return { ...claims };
}

/** Returns a target with the shape of a scene's that does not exist. */
export function ghostOf(scene: Scene): Target {
  const { named, spare, token } = scene;
  const id = () => randomUUID();
  return {
    workspace: id(),
    document: id(),
    named,
    spare,
    event: id(),
    invitation: id(),
    token,
    person: id(),
    session: id(),
    file: newCanary("file name"),
    attached: id(),
    picture: id(),
    words: newCanary("text"),
  };
}
