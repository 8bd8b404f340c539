import * as z from "zod/mini";
import { runIn } from "@/app/_server/workers/workers";
import { reportError } from "@/events/core/error-report";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { deriveByNewestRule } from "./derived-rules";
import { isPassing } from "./passing-fault";

/** The most documents taken per run. */
export const documentsPerIndexRun = 8;
/**
 * A document rests after indexing for a multiple of the time that indexing took, up to `longestMs`.
 * A document that failed has used up its time limit, and would do so again.
 */
const rest = { times: 5, longestMs: 30_000, failedMs: 600_000 };
const restsUntil = new Map<string, number>();
let running: Promise<number> | null = null;

const unindexed = z.array(
  z.object({ workspace: z.string(), position: z.number(), documents: z.array(z.string()) }),
);
type Service = NonNullable<ReturnType<typeof serviceClient>>;

function isResting(document: string): boolean {
  const now = Date.now();
  for (const [each, until] of restsUntil) if (until <= now) restsUntil.delete(each);
  return restsUntil.has(document);
}

/** Indexes a document. Resolves to false if the document has to wait for another run. */
async function isIndexed(service: Service, document: string): Promise<boolean> {
  if (isResting(document)) return false;
  let workedMs: number | null = null;
  try {
    workedMs = await runIn(
      "indexing",
      "index",
      { document },
      { client: service, service: true, owner: "indexing", signal: null },
    );
  } catch (fault) {
    if (isPassing(fault)) return false;
    // An unreadable history is read again when the document changes.
    reportError(fault, { during: "indexing a document", documentId: document });
  }
  // A document that only waited for the thread has cost nothing.
  const restMs =
    workedMs === null ? rest.failedMs : Math.min(workedMs * rest.times, rest.longestMs);
  restsUntil.set(document, Date.now() + restMs);
  return true;
}

async function indexOnce(service: Service): Promise<number> {
  await deriveByNewestRule(service, "search");
  const { data, error, status } = await service.rpc("read_unindexed", {
    max_count: documentsPerIndexRun,
  });
  if (error) throw faultOf(error, status);
  let indexed = 0;
  for (const { workspace, position, documents } of unindexed.parse(data)) {
    let all = true;
    for (const document of documents) {
      const done = await isIndexed(service, document);
      if (done) indexed += 1;
      all &&= done;
    }
    if (!all) continue;
    const settled = await service.rpc("settle_index", { workspace, up_to: position });
    if (settled.error) throw faultOf(settled.error, settled.status);
  }
  return indexed;
}

/** Indexes the documents that changed since the last run, and returns their number. */
export async function indexChanged(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  running ??= indexOnce(service).finally(() => (running = null));
  return running;
}
