import type { RealtimeChannel } from "@supabase/supabase-js";

/** Subscribes until the server accepts the channel. A refusal rejects with its reason. */
export function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === "SUBSCRIBED") resolve(channel);
      else reject(new Error(`${status}: ${error?.message ?? ""}`));
    });
  });
}

type Heard = {
  type: string;
  event: string;
  payload?: unknown;
  meta?: { id: string; replayed?: boolean };
};

/** Collects events in order, and lets a test wait for them. */
export class Heap<T> {
  readonly all: T[] = [];
  private waiting: { count: number; resolve: () => void }[] = [];

  readonly add = (one: T): void => {
    this.all.push(one);
    for (const { count, resolve } of this.waiting) if (this.all.length >= count) resolve();
  };

  /** Returns all events so far, once there are at least `count`. */
  async atLeast(count: number): Promise<T[]> {
    if (this.all.length < count)
      await new Promise<void>((resolve) => this.waiting.push({ count, resolve }));
    return this.all;
  }
}

/** Collects all broadcasts on a channel. Call this before subscribing. */
export function broadcasts(channel: RealtimeChannel, event = "*"): Heap<Heard> {
  const heap = new Heap<Heard>();
  channel.on("broadcast", { event }, (message) => heap.add(message));
  return heap;
}

/** Subscribes, and collects every later status with the server's reason. */
export function statuses(channel: RealtimeChannel): Heap<string> {
  const heap = new Heap<string>();
  let reason = "";
  channel.on("system", {}, (message: { message?: string }) => {
    reason = message.message ?? "";
  });
  channel.subscribe((status, error) =>
    heap.add([status, error?.message ?? reason].filter(Boolean).join(": ")),
  );
  return heap;
}
