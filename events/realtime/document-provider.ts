import type { SupabaseClient } from "@supabase/supabase-js";
import { encodeAwarenessUpdate } from "y-protocols/awareness";
import type { Awareness } from "y-protocols/awareness";
import { SupabaseProvider } from "y-supabase";
import type * as Y from "yjs";
import { fromBase64, toBase64 } from "@/events/core/bytes/base64";
import { ByteReader } from "@/events/core/bytes/bytes";
import type { Subscription } from "./channel";
import { systemRandom } from "@/events/core/clock";
import type { Clock } from "@/events/core/clock";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import type { InspectedUpdate } from "@/events/crdt/updates/update-inspection";

/**
 * The transaction origin that y-supabase gives to remote updates, and the only origin whose updates
 * it does not broadcast.
 */
export const remoteOrigin = "remote";

const updateEvent = "y-supabase-update";
const awarenessEvent = "y-supabase-awareness";
/**
 * The smallest payload limit of a hosted plan is 256 KB. Larger updates reach others only through
 * the log.
 */
const largestUpdate = 180_000;
const largestAwareness = 4_096;
/**
 * The largest accepted jump of an awareness clock. No caret moves this often between two messages,
 * and accepting a larger jump would mute the caret's real owner.
 */
const farthestMove = 2 ** 20;

type ProviderInput = {
  doc: Y.Doc;
  awareness: Awareness;
  subscription: Subscription;
  clock: Clock;
  /** Whether this person may write. A reader sends nothing and has no caret. */
  mayWrite(): boolean;
  /** Inspects every broadcast update before it is applied. Returns the updates to apply instead. */
  accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[];
  /** Called when an update that had passed every check broke the document. */
  broken(): void;
  /** Returns the milliseconds between two broadcasts of this tab. 0 sends every letter at once. */
  interval(): number;
};

export type DocumentProvider = {
  joined(): void;
  left(): void;
  broadcast(event: string, payload: unknown): void;
  /** Broadcasts this tab's caret again, for people who have just joined. */
  announce(): void;
  destroy(): void;
};

type Message = { update: string; user: { id: string }; timestamp: number };
type Heard = (message: { payload: Message }) => void;

/**
 * Wraps y-supabase's provider with a stand-in for the Supabase client, which restricts it to safe
 * use. It uses only the hub's private channel. It sends only updates and carets; its state-vector
 * exchange loses updates after a reconnect, so the log does the catching up. Each tab sends only
 * its own caret, and no update is applied uninspected.
 */
export function documentProvider(input: ProviderInput): DocumentProvider {
  ensureRandomUuid();
  const { doc, awareness, subscription, clock } = input;
  const heard = new Map<string, Heard>();
  let tellStatus: (status: string) => void = () => {};
  let destroyed = false;
  const sendCaret = () => {
    if (destroyed || !input.mayWrite()) return;
    const own = encodeAwarenessUpdate(awareness, [awareness.clientID]);
    subscription.send(awarenessEvent, {
      update: toBase64(own),
      user: { id: String(awareness.clientID) },
      timestamp: clock.now(),
    });
  };
  const carets = throttled(clock, () => Math.max(input.interval(), 50), sendCaret);

  const channel = {
    on(_type: string, filter: { event: string }, listener: Heard) {
      heard.set(filter.event, listener);
      return channel;
    },
    subscribe(listener: (status: string) => void) {
      tellStatus = listener;
      return channel;
    },
    send({ event, payload }: { event: string; payload: Message }) {
      if (!input.mayWrite()) return;
      if (event === awarenessEvent) carets.ask();
      if (event === updateEvent && payload.update.length < largestUpdate)
        subscription.send(event, payload);
    },
  };
  // The provider uses only a client's `channel` and `removeChannel`, and the methods above.
  const client = {
    channel: () => channel,
    removeChannel: () => undefined,
  } as unknown as SupabaseClient;
  const options = {
    awareness,
    autoReconnect: false,
    get broadcastThrottleMs() {
      return input.interval();
    },
  };
  let provider = new SupabaseProvider("", doc, client, options);
  const revive = keepAlive(awareness, (state) => {
    if (destroyed) return;
    provider = new SupabaseProvider("", doc, client, options);
    awareness.setLocalState(state);
    if (subscription.state() === "joined") tellStatus("SUBSCRIBED");
  });

  /**
   * Whether a message is another tab's own caret. Messages that claim this tab's client id are
   * rejected.
   */
  const isOthersCaret = (base64: string): boolean => {
    const caret = base64.length <= largestAwareness ? readCaret(base64) : null;
    if (!caret || caret.moved - (awareness.meta.get(caret.client)?.clock ?? 0) > farthestMove)
      return false;
    if (caret.client !== awareness.clientID) return true;
    const own = awareness.meta.get(caret.client);
    if (own && caret.moved >= own.clock) {
      own.clock = caret.moved;
      awareness.setLocalState(awareness.getLocalState());
    }
    return false;
  };

  return {
    joined: () => tellStatus("SUBSCRIBED"),
    left: () => tellStatus("CLOSED"),
    announce: () => carets.ask(),
    broadcast(event, payload) {
      const message = messageOf(payload);
      if (!message || destroyed) return;
      if (event === awarenessEvent && isOthersCaret(message.update))
        heard.get(event)?.({ payload: message });
      if (event !== updateEvent) return;
      const update = readable(message.update);
      if (!update) return;
      // The provider catches errors of Yjs, after which half of the update may already be applied.
      let failed = false;
      const onError = () => (failed = true);
      provider.on("error", onError);
      for (const accepted of input.accept(update.bytes, update.inspected))
        heard.get(event)?.({ payload: { ...message, update: toBase64(accepted) } });
      provider.off("error", onError);
      if (failed) input.broken();
    },
    destroy() {
      provider.destroy();
      carets.stop();
      revive.stop();
      // Sends without the throttle: this tab must not send anything later.
      sendCaret();
      destroyed = true;
    },
  };
}

function messageOf(payload: unknown): Message | null {
  if (typeof payload !== "object" || payload === null || !("update" in payload)) return null;
  if (typeof payload.update !== "string") return null;
  // The sender's claimed id is ignored. Any id but ours makes the provider accept the message.
  return { update: payload.update, user: { id: "" }, timestamp: 0 };
}

function readable(base64: string): { bytes: Uint8Array; inspected: InspectedUpdate } | null {
  try {
    const bytes = fromBase64(base64);
    return { bytes, inspected: inspectUpdate(bytes) };
  } catch {
    // Malformed messages are ignored. If they carried text, the log delivers it.
    return null;
  }
}

/** Returns the one client of a caret message and its awareness clock, or null for any other. */
function readCaret(base64: string): { client: number; moved: number } | null {
  try {
    const reader = new ByteReader(fromBase64(base64));
    if (reader.varUint() !== 1) return null;
    return { client: reader.varUint(), moved: reader.varUint() };
  } catch {
    return null;
  }
}

/** Runs a task at most once per interval, including the last call. */
function throttled(clock: Clock, interval: () => number, task: () => void) {
  let last = -Infinity;
  let cancel: (() => void) | null = null;
  const run = () => {
    cancel = null;
    last = clock.elapsed();
    task();
  };
  return {
    ask() {
      if (cancel) return;
      const wait = last + interval() - clock.elapsed();
      if (wait <= 0) run();
      else cancel = clock.after(wait, run);
    },
    stop: () => cancel?.(),
  };
}

/**
 * Revives the provider and the caret, which the provider destroys on `beforeunload`, even if the
 * page then stays.
 */
function keepAlive(
  awareness: Awareness,
  revive: (state: ReturnType<Awareness["getLocalState"]>) => void,
): { stop(): void } {
  if (typeof window === "undefined") return { stop: () => {} };
  const later = () => {
    const state = awareness.getLocalState();
    setTimeout(() => revive(state), 0);
  };
  window.addEventListener("beforeunload", later, { capture: true });
  return { stop: () => window.removeEventListener("beforeunload", later, { capture: true }) };
}

/** Adds `crypto.randomUUID`, which y-supabase calls and browsers hide on insecure origins. */
function ensureRandomUuid(): void {
  if (!("randomUUID" in crypto))
    Object.defineProperty(crypto, "randomUUID", { value: systemRandom.uuid, configurable: true });
}
