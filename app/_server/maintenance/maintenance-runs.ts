import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { maintain } from "./maintenance";
import { isPassing } from "./passing-fault";
import { throwAll, withEach } from "./with-each";

/** As many documents a run takes at most. */
export const documentsPerRun = 8;

const mark = z.object({ id: z.string(), takenAt: z.string() });
type Mark = z.infer<typeof mark>;

/**
 * Keeps up the documents that appending has marked: their snapshots and segments. Answers how many
 * those were; what went wrong with some is thrown when all the others have had their turn. Their
 * marks go one by one, so that a process which ends takes no others with it; what may go well
 * another time is marked again.
 */
export async function maintainMarked(): Promise<number> {
  const service = serviceClient();
  if (!service) return 0;
  const { data, error, status } = await service.rpc("take_upkeep", { max_count: documentsPerRun });
  if (error) throw faultOf(error, status);
  const marked = z.array(mark).parse(data);
  const unended: unknown[] = [];
  const reportEnd = async (
    answer: PromiseLike<{ error: { message: string; code?: string } | null; status: number }>,
  ) => {
    const { error: refused, status: code } = await answer;
    // Another run is given the mark when its time is over.
    if (refused) unended.push(faultOf(refused, code));
  };
  const markAgain = (id: string) => reportEnd(service.rpc("mark_upkeep", { streams: [id] }));
  const settle = ({ id, takenAt }: Mark) =>
    reportEnd(service.rpc("settle_upkeep", { stream: id, taken_at: takenAt }));
  const faults = await withEach(marked, async (each) => {
    try {
      await ((await maintain(each.id, "eager")) ? settle(each) : markAgain(each.id));
    } catch (fault) {
      await (isPassing(fault) ? markAgain(each.id) : settle(each));
      throw fault;
    }
  });
  throwAll([...faults, ...unended]);
  return marked.length;
}
