import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { serviceClient } from "@/supabase/server";
import { maintain } from "./maintenance";
import { isPassing } from "./passing-fault";
import { throwAll, withEach } from "./with-each";

/** The most documents taken per run. */
export const documentsPerRun = 8;

const mark = z.object({ id: z.string(), takenAt: z.string() });
type Mark = z.infer<typeof mark>;

/**
 * Makes the snapshots and segments of documents that an append has marked, and returns their
 * number. Errors are collected and thrown after all documents have been tried. Marks are settled
 * one by one, so that a process that dies loses no other mark. A transient failure is marked again.
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
    // Another run gets the mark when its lease expires.
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
