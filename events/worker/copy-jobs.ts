import { joinState } from "@/events/crdt/validation/document-state";
import { unpackApart } from "@/events/crdt/validation/state-parts";
import type { Closing, Message, Reply } from "./remote-jobs";

/** A message to a job that builds a document's copy for the device. */
export type CopyMessage =
  /** Joins the parts of a state, which `packApart` packed. */
  { call: "join"; packed: Uint8Array<ArrayBuffer> };

/** The worker's handling of copies. It keeps no state and does not use the worker's own API. */
export class CopyJobs {
  /** Handles a message. A failure is an answer too. */
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
