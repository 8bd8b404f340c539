import type { Channels, Transport } from "@/events/realtime/channel";
import { createChannels } from "@/events/realtime/channel-hub";
import type { Clock, Random } from "@/events/core/clock";
import type { MemoryTab } from "./memory-backend.fixture";
import type { Store } from "@/events/log/store";
import type { VirtualClock } from "@/events/core/virtual-clock.fixture";

/**
 * A page's clock that can stall. Tasks that become due during a stall run when the clock continues,
 * in order.
 */
class StallingClock implements Clock {
  /** The error of this device's clock in milliseconds. */
  skew = 0;
  private readonly base: VirtualClock;
  private until = 0;

  constructor(base: VirtualClock) {
    this.base = base;
  }

  get stalled(): boolean {
    return this.base.elapsed() < this.until;
  }

  stall(duration: number): void {
    this.until = this.base.elapsed() + duration;
  }

  now(): number {
    return this.base.now() + this.skew;
  }

  elapsed(): number {
    return this.base.elapsed();
  }

  after(delay: number, task: () => void): () => void {
    let cancelled = false;
    this.base.after(delay, () => this.run(() => !cancelled && task()));
    return () => {
      cancelled = true;
    };
  }

  /** Runs an external task as soon as the page continues. */
  run(task: () => void): void {
    if (this.stalled) this.base.after(this.until - this.base.elapsed(), () => this.run(task));
    else task();
  }

  awake(): Promise<void> {
    return this.stalled ? new Promise((resolve) => this.run(resolve)) : Promise.resolve();
  }
}

/** Creates the backend of a page that can stall. `appendDelay` delays its appends. */
export function stallingTab(
  tab: Pick<MemoryTab, "store" | "transport">,
  base: VirtualClock,
  random: Random,
) {
  const clock = new StallingClock(base);
  const plain = tab.store();
  const late = async <T>(answer: Promise<T>): Promise<T> => {
    const settled = await answer.then(
      (value) => () => value,
      (fault: unknown) => () => {
        throw fault;
      },
    );
    await clock.awake();
    return settled();
  };
  const state = { appendDelay: 0 };
  const store: Store = {
    ...plain,
    append: async (...call) => {
      if (state.appendDelay > 0) await base.wait(state.appendDelay);
      return late(plain.append(...call));
    },
    read: (...call) => late(plain.read(...call)),
    topic: (...call) => late(plain.topic(...call)),
  };
  const transport: Transport = {
    ...tab.transport(),
    join: (topic, listener) =>
      tab.transport().join(topic, {
        joined: () => clock.run(() => listener.joined()),
        lost: (reason) => clock.run(() => listener.lost(reason)),
        broadcast: (event, payload) => clock.run(() => listener.broadcast(event, payload)),
        presence: (entries) => clock.run(() => listener.presence(entries)),
      }),
  };
  const channels = (): Channels =>
    createChannels({ transport, topic: (stream) => store.topic(stream), clock, random });
  return { clock, store, channels, state };
}
