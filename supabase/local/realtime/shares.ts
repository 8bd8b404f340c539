import { RateLimiter } from "@/supabase/local/http/rate-limit";
import type { RateLimit } from "@/supabase/local/http/rate-limit";
import type { Clock } from "./clock";
import type { Claims } from "./token";
import { Deliveries } from "./topics/deliveries";

/**
 * One person's limits, on every plan. Our own client needs three channels and, in half a minute,
 * four presence calls per tab. A hundred tabs in one workspace stay within the limits, even if all
 * of them reconnect at once.
 */
export const perPerson = {
  channels: 400,
  channelsOnTopic: 100,
  joins: { most: 400, seconds: 10 },
  presenceCallsOnTopic: { most: 200, seconds: 30 },
} satisfies Record<string, number | RateLimit>;

/**
 * Returns the unit that limits count by: the account, or the network address without an account.
 * Returns null for the service, which is not limited.
 */
export function personOf({ sub, role }: Claims, address: string): string | null {
  if (role === "service_role") return null;
  return typeof sub === "string" && sub !== "" ? `user ${sub}` : `${role} at ${address}`;
}

/** Counts each person's use of a server, so that no person exhausts the resources of others. */
export class Shares {
  private readonly channels = new Map<string, Map<string, number>>();
  private readonly joins: RateLimiter;
  private readonly presenceCalls: RateLimiter;
  readonly deliveries: Deliveries;

  constructor(clock: Clock) {
    const now = () => clock.now();
    this.deliveries = new Deliveries(clock);
    this.joins = new RateLimiter(perPerson.joins, now);
    this.presenceCalls = new RateLimiter(perPerson.presenceCallsOnTopic, now);
  }

  /** Counts an attempt to join, and returns false if it exceeds the limit. */
  mayJoin(person: string | null): boolean {
    return person === null || this.joins.take(person) === 0;
  }

  /** Counts a presence call, and returns false if it exceeds the limit. */
  mayCall(person: string | null, topic: string): boolean {
    return person === null || this.presenceCalls.take(`${person} on ${topic}`) === 0;
  }

  /** Counts a new channel, or returns the limit that has been reached. */
  enter(person: string | null, topic: string): "entered" | "channels" | "channels on this topic" {
    if (person === null) return "entered";
    const topics = this.channels.get(person) ?? new Map<string, number>();
    const here = topics.get(topic) ?? 0;
    if (here >= perPerson.channelsOnTopic) return "channels on this topic";
    if (sum(topics) >= perPerson.channels) return "channels";
    this.channels.set(person, topics.set(topic, here + 1));
    return "entered";
  }

  /** Releases a channel that was counted. */
  leave(person: string | null, topic: string): void {
    const topics = person === null ? undefined : this.channels.get(person);
    if (person === null || topics === undefined) return;
    const here = (topics.get(topic) ?? 0) - 1;
    if (here > 0) topics.set(topic, here);
    else topics.delete(topic);
    if (topics.size === 0) this.channels.delete(person);
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  let all = 0;
  for (const count of counts.values()) all += count;
  return all;
}
