import type { Authorizer, FaultName } from "./authorizer";
import type { Clock, Log } from "./clock";
import type { Usage } from "./limits";
import type { Replay } from "./replay";
import type { TopicRegistry } from "./topic-members";
import type { Shares } from "./shares";
import type { Verify } from "./token";

/** Whether the session of a token is still valid. */
export type Sessions = {
  holds(session: string): Promise<boolean>;
  hasEnded(session: string): boolean;
};

/** Sessions without tracking, where every session is valid until its token expires. */
export const unwatched: Sessions = { holds: () => Promise.resolve(true), hasEnded: () => false };

/** The state shared by all connections and channels. Everything nondeterministic is injected. */
export type Hub = {
  topics: TopicRegistry;
  usage: Usage;
  shares: Shares;
  authorizer: Authorizer;
  replay: Replay;
  verify: Verify;
  sessions: Sessions;
  clock: Clock;
  log: Log;
  /** Creates a unique name for a presence key or a presence reference. */
  newId(): string;
  /** How long a failed join is delayed, in ms. Hosted Supabase waits 5 s. */
  joinBackoff: number;
};

/** Returns the client's message for an authorisation fault on a joined channel. */
export function faultSentence(fault: FaultName, topic: string): string {
  switch (fault) {
    case "policy":
      return `You do not have permissions to read from this Channel topic: ${topic}`;
    case "canceled":
      return "Query was cancelled, please try again";
    case "partition":
    case "unavailable":
      return "Realtime was unable to connect to the project database";
  }
}

/** Returns the reason of a join that an authorisation fault refused. */
export function faultReason(fault: FaultName, topic: string): string {
  switch (fault) {
    case "policy":
      return `Unauthorized: ${faultSentence("policy", topic)}`;
    case "canceled":
      return "QueryCanceled: Query was cancelled, please try again";
    case "partition":
      return "MissingPartition: Realtime was unable to find the expected messages partition";
    case "unavailable":
      return "UnableToConnectToProject: Realtime was unable to connect to the project database";
  }
}
