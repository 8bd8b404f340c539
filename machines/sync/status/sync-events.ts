import type { Refusal } from "@/events/log/refusal";

/** The outcome of one attempt to empty the outbox. */
export type SendOutcome =
  | { kind: "empty" }
  | { kind: "more" }
  /** All remaining edits depend on text that the log does not hold yet. */
  | { kind: "waiting" }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "signed-out" };

/** Events from the owner of an open document, and between the machine's own regions. */
export type SyncEvent =
  | { type: "link.connecting" }
  | { type: "link.joined" }
  | { type: "link.lost" }
  | { type: "log.noticed" }
  | { type: "caught.up" }
  /**
   * This page may have missed a notice: it was suspended, was hidden, or waited long for an answer.
   */
  | { type: "doubted" }
  | { type: "edited" }
  | { type: "counted"; pending: number; orphaned: number; unreadable: number }
  | { type: "looked"; elsewhere: Elsewhere }
  | { type: "flush" }
  | { type: "retry" }
  | { type: "session.ended" }
  | { type: "session.restored" }
  | { type: "access.changed"; access: Access }
  | { type: "storage.failed"; full: boolean }
  | { type: "storage.restored" }
  | { type: "slowed"; delay: number }
  /** The browser's network status. */
  | { type: "offline" }
  | { type: "online" }
  /** The server has ruled on the sent events (acknowledged or refused them). */
  | { type: "answered" }
  | { type: "failed"; call: "read" | "send"; trouble: Trouble };

/**
 * Why a call failed: no connection (`unreachable`), no answer (`silence`), a server error
 * (`fault`), a rejected session (`session`), a refusal by a proxy (`blocked`), an answer that is
 * not the server's (`foreign`), a request too large (`too-large`), or one too many (`too-often`).
 */
export type Trouble =
  | "unreachable"
  | "silence"
  | "fault"
  | "session"
  | "blocked"
  | "foreign"
  | "too-large"
  | "too-often";

/**
 * Whether another tab on this device, living or dead, keeps edits of this person for this document.
 * The states are: not known yet, none, for a while, or so long that the tab must be stuck.
 */
export type Elsewhere = "unasked" | "none" | "waiting" | "stuck";

/** A person's access to a document. */
export type Access = "write" | "read" | "none";
