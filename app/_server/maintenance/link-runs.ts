import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { isPassing } from "./passing-fault";
import { runIn } from "@/app/_server/workers/workers";

/** As many documents a run takes at most. */
export const linksPerRun = 8;
const unlinked = z.array(
  z.object({ stream: z.string(), version: z.int(), head: z.int(), links: z.int() }),
);

/**
 * Keeps what is known of links up in some of the documents whose log has gone beyond it; answers how many those were.
 * What went wrong with some is thrown when all the others have had their turn; each is asked for
 * again by the next run, and what failed for a reason that does not pass in ten minutes.
 */
export async function keepLinksUp(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("read_unlinked", { max_count: linksPerRun });
  if (error) throw faultOf(error, status);
  const documents = unlinked.parse(data);
  let kept = 0;
  const faults: unknown[] = [];
  for (const document of documents) {
    const asker = { client: service, service: true, owner: "maintenance" };
    await runIn("background", "keepLinks", document, asker).then(
      (done) => (kept += done ? 1 : 0),
      async (fault: unknown) => {
        faults.push(fault);
        if (isPassing(fault)) return;
        const rested = await service.rpc("rest_links", { stream: document.stream });
        if (rested.error) faults.push(faultOf(rested.error, rested.status));
      },
    );
  }
  if (faults.length > 0) throw new AggregateError(faults, "links of documents could not be kept");
  return kept;
}
