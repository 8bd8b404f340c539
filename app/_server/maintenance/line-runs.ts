import { runIn } from "@/app/_server/workers/workers";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { deriveByNewestRule } from "./derived-rules";
import { isPassing } from "./passing-fault";
import { throwAll, withEach } from "./with-each";

export const linesPerRun = 8;

/**
 * Derives the lines of documents that an append has marked, and returns their number. Documents
 * with a transient failure are marked again and retried some seconds later. Other errors count as
 * failed attempts, and are thrown after all documents have been tried.
 */
export async function deriveMarkedLines(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  await deriveByNewestRule(service, "lines");
  const { data, error, status } = await service.rpc("take_stale_lines", { max_count: linesPerRun });
  if (error) throw faultOf(error, status);
  const marked: unknown[] = Array.isArray(data) ? data : [];
  const [passing, failed]: [string[], string[]] = [[], []];
  const documents = marked.filter((document) => typeof document === "string");
  const faults = await withEach(documents, async (document) => {
    const asker = { client: service, service: true, owner: "lines", signal: null };
    try {
      await runIn("background", "lines", { document }, asker);
    } catch (fault) {
      if (isPassing(fault)) passing.push(document);
      else {
        failed.push(document);
        throw fault;
      }
    }
  });
  if (passing.length + failed.length > 0) {
    const given = await service.rpc("return_stale_lines", { documents: passing, failed });
    if (given.error) faults.push(faultOf(given.error, given.status));
  }
  throwAll(faults);
  return marked.length;
}
