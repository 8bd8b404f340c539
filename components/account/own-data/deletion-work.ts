import * as z from "zod/mini";
import type { Work } from "@/machines/transfer/transfer";
import { requestJson } from "@/components/transfer/requests";

const answered = z.object({ deleted: z.boolean(), left: z.int() });

/**
 * Returns the work that deletes the account with this address and the workspaces that the person
 * agreed to. Each request deletes about a second's worth of documents.
 */
export function deletionWork(email: string) {
  let agreed: readonly string[] = [];
  const agree = (alone: readonly string[]) => void (agreed = alone);
  const work: Work = async (report, signal) => {
    const ask = async () => {
      const body = JSON.stringify({ email, alone: agreed });
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", headers, body, signal };
      return answered.parse(await requestJson("/account/delete", init));
    };
    let answer = await ask();
    // The total is unknown before the first answer, whose `left` becomes the total.
    const all = answer.left;
    while (!answer.deleted) {
      report({ done: Math.max(0, all - answer.left), all });
      answer = await ask();
    }
  };
  return { agree, work };
}
