import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { isPassing } from "./passing-fault";
import { throwAll, withEach } from "./with-each";
import { runIn } from "@/app/_server/workers/workers";

/** The most documents taken per run. */
export const linksPerRun = 8;
const unlinked = z.array(
  z.object({
    stream: z.string(),
    version: z.int(),
    head: z.int(),
    links: z.int(),
    written: z.boolean(),
  }),
);

/**
 * Updates the links of documents whose log has grown since, and returns their number. Errors are
 * collected and thrown after all documents have been tried. A document that failed is offered again
 * in the next run, or after ten minutes if the failure was permanent.
 */
export async function keepLinksUp(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("read_unlinked", { max_count: linksPerRun });
  if (error) throw faultOf(error, status);
  const documents = unlinked.parse(data);
  let kept = 0;
  const failed: string[] = [];
  const faults = await withEach(documents, async (document) => {
    const asker = { client: service, service: true, owner: "links", signal: null };
    try {
      if (await runIn("background", "keepLinks", document, asker)) kept += 1;
    } catch (fault) {
      if (!isPassing(fault)) failed.push(document.stream);
      throw fault;
    }
  });
  const unrested = await withEach(failed, async (stream) => {
    const { error: refused, status: code } = await service.rpc("rest_links", { stream });
    if (refused) throw faultOf(refused, code);
  });
  throwAll([...faults, ...unrested]);
  return kept;
}
