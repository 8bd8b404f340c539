import { joinState } from "@/events/crdt/validation/document-state";
import { unpackApart } from "@/events/crdt/validation/state-parts";
import type { Closing, Message, Reply } from "./remote-jobs";

/** A message to a job that builds a document's copy for the device. */
export type CopyMessage =
  /** A state in parts, packed by `packApart`, to be joined. */
  { call: "join"; packed: Uint8Array<ArrayBuffer> };

/** The worker's handling of copies, independent of the worker's own API; it keeps no state. */
export class CopyJobs {
  /** Handles a message; failures are answers too. */
  take({ id, message }: Message<CopyMessage>): Reply {
    try {
      return { id, value: this.done(message) };
    } catch (error) {
      return { id, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  private done(message: CopyMessage | Closing): Uint8Array | null {
    return message.call === "join" ? joinState(unpackApart(message.packed)) : null;
  }
}
