import { type Authorizer, type FaultName } from "./authorizer";
import { type Clock, type Log } from "./clock";
import { type Usage } from "./limits";
import { type Replay } from "./replay";
import { type TopicRegistry } from "./topic-members";
import { type Shares } from "./shares";
import { type Verify } from "./token";

/** Whether the session that a token names still stands. */
export type Sessions = {
  holds(session: string): Promise<boolean>;
  hasEnded(session: string): boolean;
};

/** Where no session is watched, each stands until its token ends. */
export const unwatched: Sessions = { holds: () => Promise.resolve(true), hasEnded: () => false };

/** What every connection and channel of one server shares. All that is not deterministic is handed in. */
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
  /** A fresh name: presence keys and presence references. */
  newId(): string;
  /** How long, in ms, a failed join keeps its connection waiting. Hosted Supabase waits 5 s. */
  joinBackoff: number;
};

/** The sentence for a fault of authorisation while a channel is joined. */
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

/** The reason of a join that failed for a fault of authorisation. */
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
