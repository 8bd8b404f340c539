import { messagesPerSecond } from "@/supabase/realtime-plan";
import type { Plan } from "@/supabase/realtime-plan";
import type { Clock } from "./clock";

type Limits = {
  connections: number;
  messagesPerSecond: number;
  joinsPerSecond: number;
  channelsPerConnection: number;
  presencePerSecond: number;
  payloadBytes: number;
};

/**
 * The largest presence payload in bytes of JSON, on every plan. All current and later members
 * receive this payload.
 */
export const mostPresence = 2_000;
/** The longest presence key and topic, and the largest join, in bytes, on every plan. */
export const mostOfJoin = { presenceKey: 255, topic: 1_000, payload: 64_000 };

const channelsPerConnection = 100;

/** Converts kB to bytes as Supabase does, which allows 500 bytes for the envelope. */
const kilobytes = (count: number) => count * 1000 + 500;

const plans: Record<Plan, Limits> = {
  free: {
    connections: 200,
    messagesPerSecond: messagesPerSecond.free,
    joinsPerSecond: 100,
    channelsPerConnection,
    presencePerSecond: 20,
    payloadBytes: kilobytes(256),
  },
  pro: {
    connections: 500,
    messagesPerSecond: messagesPerSecond.pro,
    joinsPerSecond: 500,
    channelsPerConnection,
    presencePerSecond: 50,
    payloadBytes: kilobytes(3000),
  },
  team: {
    connections: 10_000,
    messagesPerSecond: messagesPerSecond.team,
    joinsPerSecond: 2500,
    channelsPerConnection,
    presencePerSecond: 1000,
    payloadBytes: kilobytes(3000),
  },
};

/**
 * Returns the limits of a hosted plan. Without a plan, only sizes and channels per connection are
 * limited, as in self-hosted Realtime.
 */
export function limitsOf(plan: Plan | undefined): Limits {
  // A copy, so that changing one server's limits does not affect others.
  if (plan !== undefined) return { ...plans[plan] };
  return {
    connections: Infinity,
    messagesPerSecond: Infinity,
    joinsPerSecond: Infinity,
    channelsPerConnection,
    presencePerSecond: Infinity,
    payloadBytes: kilobytes(3000),
  };
}

const tick = 5000;
const mostBuckets = 12;

/**
 * Measures a rate as Supabase does: counts in 5 s buckets, at most 12 of them, averaged per second.
 * The limit triggers at a tick whose average reaches it, and resets at a tick with a lower average,
 * so short bursts pass.
 */
export class RateCounter {
  private readonly limit: number;
  private readonly clock: Clock;
  private lastTick: number;
  private count = 0;
  private buckets = [0];
  private isTriggered = false;

  constructor(limit: number, clock: Clock) {
    this.limit = limit;
    this.clock = clock;
    this.lastTick = clock.now();
  }

  add(count = 1): void {
    if (this.limit === Infinity) return;
    this.roll();
    this.count += count;
  }

  get triggered(): boolean {
    if (this.limit === Infinity) return false;
    this.roll();
    return this.isTriggered;
  }

  /** The average per second at the last tick. */
  get average(): number {
    if (this.limit === Infinity) return 0;
    this.roll();
    return this.rate();
  }

  private rate(): number {
    return (
      this.buckets.reduce((sum, count) => sum + count, 0) / this.buckets.length / (tick / 1000)
    );
  }

  // Missed ticks are made up on access, so an idle server needs no timer.
  private roll(): void {
    const missed = Math.floor((this.clock.now() - this.lastTick) / tick);
    this.lastTick += missed * tick;
    for (let left = Math.min(missed, mostBuckets + 1); left > 0; left -= 1) {
      this.buckets = [this.count, ...this.buckets].slice(0, mostBuckets);
      this.count = 0;
      this.isTriggered = this.rate() >= this.limit;
    }
  }
}

const presenceCalls = 5;
const presenceWindow = 30_000;

/** Limits the presence calls of one channel to five in 30 s, on every plan. */
export class PresenceCalls {
  private readonly clock: Clock;
  private count = 0;
  private resetAt = -Infinity;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Counts a call, and returns false if the call exceeds the limit. */
  admit(): boolean {
    const now = this.clock.now();
    if (now > this.resetAt) {
      this.count = 1;
      this.resetAt = now + presenceWindow;
      return true;
    }
    if (this.count >= presenceCalls) return false;
    this.count += 1;
    return true;
  }
}

/** The server's current use of its limits. Connections count from their first join. */
export class Usage {
  readonly limits: Limits;
  readonly messages: RateCounter;
  readonly joins: RateCounter;
  readonly presence: RateCounter;
  readonly connected = new Set<object>();

  constructor(limits: Limits, clock: Clock) {
    this.limits = limits;
    this.messages = new RateCounter(limits.messagesPerSecond, clock);
    this.joins = new RateCounter(limits.joinsPerSecond, clock);
    this.presence = new RateCounter(limits.presencePerSecond, clock);
  }
}
