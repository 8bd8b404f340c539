import { tolerate } from "@/events/core/error-report";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import { packApart } from "@/events/crdt/validation/state-parts";
import type { CopyMessage } from "./copy-jobs";
import { BackgroundLost } from "./remote-jobs";
import type { RemoteJobs } from "./remote-jobs";

/** Joins the parts of a state in a worker. Resolves to null if that is impossible. */
export async function joinBeside(
  { version, state, since = [] }: DocumentState,
  jobs: Pick<RemoteJobs<CopyMessage>, "job">,
): Promise<Uint8Array | null> {
  // Packs a copy that is transferred, since the page keeps its parts.
  const packed = packApart({ version, owners: [], state, since });
  try {
    // Every answer has the type that `CopyJobs` gives to the call.
    return (await jobs.job().post({ call: "join", packed }, [packed.buffer])) as Uint8Array;
  } catch (error) {
    if (!(error instanceof BackgroundLost)) tolerate("joining the parts of a copy")(error);
    return null;
  }
}
