import { proposalOf } from "@/events/log/live-stream";
import type { Refusal } from "@/events/log/refusal";
import { underOwnSession } from "@/events/log/store";
import type { Store } from "@/events/log/store";
import type { DeviceProposals, KeptProposal } from "./proposal-box";

/** Groups adjacent proposals that must be recorded together. */
function batches(kept: readonly KeptProposal[]): [KeptProposal, ...KeptProposal[]][] {
  const found: [KeptProposal, ...KeptProposal[]][] = [];
  for (const proposal of kept) {
    const last = found.at(-1);
    const { batch } = proposal.event;
    if (last && batch !== undefined && last[0].event.batch === batch) last.push(proposal);
    else found.push([proposal]);
  }
  return found;
}

/**
 * Sends the unacknowledged proposals of a person's closed tabs, except those of one workspace,
 * whose page sends its own. Returns the refusals. Throws on a fault, in which case everything
 * without a ruling stays on the device.
 */
export async function flushProposals({
  userId,
  device,
  store,
  except,
}: {
  userId: string;
  device: DeviceProposals;
  store: Pick<Store, "append">;
  except: string | null;
}): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const workspaceId of await device.workspaces(userId)) {
    if (workspaceId === except) continue;
    const box = device.open({ userId, workspaceId });
    try {
      for (const batch of batches(await box.takeOver())) {
        const [{ stream }] = batch;
        const events = batch.map(({ event }) => proposalOf(event));
        const answer = underOwnSession(await store.append(stream.id, null, events, userId));
        // The workspace's page merges the proposal with the value that replaced its own.
        if (!answer.ok && answer.refusal.reason === "replaced-since") continue;
        if (!answer.ok) refused.push(answer.refusal);
        await box.remove(batch.map(({ event }) => event.id));
      }
    } finally {
      box.close();
    }
  }
  return refused;
}
