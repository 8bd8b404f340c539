import type { SupabaseClient } from "@supabase/supabase-js";
import * as Y from "yjs";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { toBase64 } from "@/events/core/bytes/base64";

export const document = "00000000-0000-4000-8000-0000000000d0";
const ana = "00000000-0000-4000-8000-0000000000a1";
const workspace = "00000000-0000-4000-8000-0000000000a0";

function row(version: number, update: Uint8Array, clientIds: number[]) {
  return {
    id: `00000000-0000-4000-8000-${String(version).padStart(12, "0")}`,
    stream_id: document,
    stream_kind: "document",
    workspace_id: workspace,
    version,
    position: version,
    type: "document.edited",
    subject_kind: "document",
    subject_id: document,
    from_phase: "live",
    to_phase: "live",
    schema: 1,
    actor_id: ana,
    client_ids: clientIds.length > 0 ? clientIds : null,
    client_time: "2026-01-02T03:04:05.000000Z",
    recorded_at: "2026-01-02T03:04:05.000000Z",
    payload_hash: "00".repeat(32),
    hash: version.toString(16).padStart(64, "0"),
    salt: "00".repeat(16),
    body: "{}",
    update: toBase64(update),
  };
}

/** A row that is packed on demand, so that rows after the stop of a fold cost nothing. */
export type Packing = () => ReturnType<typeof row>;

/** Creates a fake database with this log, and records the rows that were requested. */
export function logOf(rows: Packing[]) {
  const asked: number[] = [];
  const rpc = async (name: string, args: { after_version: number; max_count: number }) => {
    if (name === "open_snapshot")
      return {
        data: { version: null, size: null, state: null, stoppedAt: null, bytes: 0, pieces: 0 },
        error: null,
        status: 200,
      };
    if (name === "read_segments") return { data: [], error: null, status: 200 };
    asked.push(args.after_version);
    return {
      data: rows
        .slice(args.after_version, args.after_version + Math.min(args.max_count, 4))
        .map((packing) => packing()),
      error: null,
      status: 200,
    };
  };
  return { client: { rpc } as unknown as SupabaseClient, asked };
}

/** Returns rows that write in one paragraph, which the first row creates. */
export function writing(work: (text: Y.XmlText) => void): Packing[] {
  const doc = new Y.Doc();
  const made: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => made.push(update));
  const text = new Y.XmlText();
  doc.transact(() => {
    const block = new Y.XmlElement("paragraph");
    doc.getXmlFragment("default").insert(0, [block]);
    block.insert(0, [text]);
  });
  work(text);
  return made.map((update, index) => {
    let packed: ReturnType<typeof row> | undefined;
    return () =>
      (packed ??= row(
        index + 1,
        encodeEdits([{ update, time: 0 }]),
        index === 0 ? [doc.clientID] : [],
      ));
  });
}
