import { type Refusal } from "@/events/log/refusal";

/** What came of one attempt to empty the outbox. */
export type SendOutcome =
  | { kind: "empty" }
  | { kind: "more" }
  /** Everything left builds on text that the log does not hold yet. */
  | { kind: "waiting" }
  | { kind: "refused"; refusal: Refusal }
  | { kind: "signed-out" };

/** What the owner of an open document tells its machine, and what the machine tells its own regions. */
export type SyncEvent =
  | { type: "link.connecting" }
  | { type: "link.joined" }
  | { type: "link.lost" }
  | { type: "log.noticed" }
  | { type: "caught.up" }
  /** This page may have missed something: it stood still, was not looked at, or waited long for an answer. */
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
  /** What the browser says of its network. */
  | { type: "offline" }
  | { type: "online" }
  /** The server has ruled on what was sent. */
  | { type: "answered" }
  | { type: "failed"; call: "read" | "send"; trouble: Trouble };

/**
 * Why a call failed: there was no connection (`unreachable`), nobody answered (`silence`), the
 * server answered that it cannot (`fault`) or not for this session (`session`), something on the way
 * refused it (`blocked`) or answered in the server's place (`foreign`), or it was too large or one
 * too many.
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
 * Whether another tab on this device, or none that lives, keeps edits of this person for this
 * document: not known yet, none, for a while, or for so long that something must be wrong.
 */
export type Elsewhere = "unasked" | "none" | "waiting" | "stuck";

/** What somebody may do in a document. */
export type Access = "write" | "read" | "none";
