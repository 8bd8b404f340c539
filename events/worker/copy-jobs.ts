import { joinState } from "@/events/crdt/validation/document-state";
import { unpackApart } from "@/events/crdt/validation/state-parts";
import { type Closing, type Message, type Reply } from "./remote-jobs";

/** What a job is told that makes the copy of a document for the device. */
export type CopyMessage =
  /** A state in parts, as `packApart` packs it, to be made one. */
  { call: "join"; packed: Uint8Array<ArrayBuffer> };

/** What the background does for copies, without any of the background's own means; it keeps nothing. */
export class CopyJobs {
  /** Does what a message tells; whatever goes wrong is an answer as well. */
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
