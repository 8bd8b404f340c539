import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBase64, toBase64 } from "@/events/core/bytes/base64";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { row } from "@/events/history/timeline/rows.fixture";
import type { AuthoredEdit } from "@/events/history/timeline/rows.fixture";
import type { TimelineRow } from "@/events/history/timeline/timeline";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { blogSession } from "@/tests/support/recordings/blog-session";
import { generatedSession } from "@/tests/support/recordings/generated-session";
import { flushes, readTrace } from "@/tests/support/recordings/traces";

export type SessionName = "seph-blog1" | "session-100k" | "session-137k" | "session-1m";
export type Session = { name: SessionName; rows: TimelineRow[]; edits: number };

type StoredRow = {
  actorId: string;
  time: number;
  clientIds: number[];
  update: string;
  edits: number;
};

const edition = 2;
const cache = join(tmpdir(), "palimpsest-bench");

function* batchesOf(name: SessionName): Iterable<AuthoredEdit[]> {
  if (name === "session-100k")
    return yield* generatedSession({ writers: 50, edits: 100_000, seed: 7 });
  if (name === "session-137k")
    return yield* generatedSession({ writers: 50, edits: 137_000, seed: 7 });
  if (name === "session-1m")
    return yield* generatedSession({ writers: 50, edits: 1_000_000, seed: 7 });
  const trace = readTrace("seph-blog1");
  if (!trace) return;
  for (const batch of flushes(
    blogSession(trace).map((edit) => ({ ...edit, agent: 0 })),
    1000,
  )) {
    yield batch.map(({ update, time }) => ({ update, time, actorId: "person 0" }));
  }
}

function made(name: SessionName): StoredRow[] {
  const bound = new Set<number>();
  const stored: StoredRow[] = [];
  for (const batch of batchesOf(name)) {
    const clients = batch.flatMap(({ update }) =>
      inspectUpdate(update).structs.map(({ client }) => client),
    );
    const clientIds = [...new Set(clients)].filter((client) => !bound.has(client));
    for (const client of clientIds) bound.add(client);
    const [first] = batch;
    stored.push({
      actorId: first?.actorId ?? "",
      time: first?.time ?? 0,
      clientIds,
      update: toBase64(encodeEdits(batch)),
      edits: batch.length,
    });
  }
  return stored;
}

/**
 * Returns a long session as the rows of its log, one event per second and person, or null if its
 * recording is not available.
 */
export function benchSession(name: SessionName): Session | null {
  const file = join(cache, `${name}.${edition}.json`);
  if (!existsSync(file)) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify(made(name)));
    renameSync(`${file}.new`, file);
  }
  // The cast is safe, because this program wrote the file.
  const stored = JSON.parse(readFileSync(file, "utf8")) as StoredRow[];
  if (stored.length === 0) return null;
  const created = row(
    {
      version: 1,
      actorId: stored[0]?.actorId ?? "",
      type: "document.created",
      body: { title: name },
    },
    stored[0]?.time ?? 0,
  );
  const rows = stored.map(({ actorId, time, clientIds, update }, index) =>
    row({ version: index + 2, actorId, clientIds, update: fromBase64(update) }, time),
  );
  return {
    name,
    rows: [created, ...rows],
    edits: stored.reduce((sum, { edits }) => sum + edits, 0),
  };
}
