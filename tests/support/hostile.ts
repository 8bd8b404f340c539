import { randomUUID } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import postgres from "postgres";
import * as Y from "yjs";
import type { RawStore } from "@/events/log/store";
import { databaseUrl } from "./product/backend";
import { granted } from "./writers/workspaces";

function varUint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest >= 128 ? (rest % 128) | 0x80 : rest);
    if (rest < 128) return bytes;
  }
}

/**
 * Creates edits of `bytes` letters each, compressed to some 8 kB as in older releases, which did
 * not declare the load of an edit.
 */
export function bombs(
  count: number,
  bytes = 7_500_000,
): { client: number; payloads: Uint8Array[] } {
  const doc = new Y.Doc();
  const made: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => made.push(update));
  const text = new Y.XmlText();
  const block = new Y.XmlElement("paragraph");
  doc.transact(() => {
    doc.getXmlFragment("default").insert(0, [block]);
    block.insert(0, [text]);
  });
  for (let at = 1; at < count; at += 1) text.insert(text.length, "a".repeat(bytes));
  const payloads = made.map((update) => {
    const body = Buffer.concat([Buffer.from([8, ...varUint(update.length)]), update]);
    return Uint8Array.from([0, 0, 2, ...deflateRawSync(body, { level: 9 })]);
  });
  return { client: doc.clientID, payloads };
}

export const bombEvent = (update: Uint8Array, clientIds: number[] = []) => ({
  id: randomUUID(),
  type: "document.edited",
  body: {},
  update,
  clientIds,
  schema: 1,
  clientTime: new Date(0).toISOString(),
});

/**
 * Adds hostile edits to a document as a release without limits accepted them, in the state that the
 * migration of such a release leaves.
 */
export async function layBombs(
  dataDir: string,
  store: RawStore,
  document: string,
  { client, payloads }: ReturnType<typeof bombs>,
): Promise<void> {
  const sql = postgres(await databaseUrl(dataDir), { max: 1, onnotice: () => undefined });
  try {
    await sql`update private.limits set most = most * 1000 where name like 'document_%'`;
    for (const [index, update] of payloads.entries())
      granted(await store.append(document, null, [bombEvent(update, index === 0 ? [client] : [])]));
    await sql`update private.limits set most = most / 1000 where name like 'document_%'`;
    await sql`update private.streams set bytes = 8388608, pieces = 750000, history = 67108864 where id = ${document}`;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
