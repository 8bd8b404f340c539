import { type SupabaseClient } from "@supabase/supabase-js";
import { encodeAwarenessUpdate, type Awareness } from "y-protocols/awareness";
import { SupabaseProvider } from "y-supabase";
import type * as Y from "yjs";
import { fromBase64, toBase64 } from "@/events/core/bytes/base64";
import { ByteReader } from "@/events/core/bytes/bytes";
import { type Subscription } from "./channel";
import { systemRandom, type Clock } from "@/events/core/clock";
import { inspectUpdate, type InspectedUpdate } from "@/events/crdt/updates/update-inspection";

/** The origin that y-supabase gives to what it applies, and the only one that it does not send on. */
export const remoteOrigin = "remote";

const updateEvent = "y-supabase-update";
const awarenessEvent = "y-supabase-awareness";
/** The smallest payload limit of a hosted plan is 256 KB; what is larger reaches others by the log alone. */
const largestUpdate = 180_000;
const largestAwareness = 4_096;
/** No caret moves that often between two messages; a clock that jumps further would silence its owner. */
const farthestMove = 2 ** 20;

type ProviderInput = {
  doc: Y.Doc;
  awareness: Awareness;
  subscription: Subscription;
  clock: Clock;
  /** Whether this person may write; who may not sends nothing and has no caret. */
  mayWrite(): boolean;
  /** Hears of every update that came by broadcast, before it is applied; answers what is to be applied in its place. */
  accept(update: Uint8Array, inspected: InspectedUpdate): Uint8Array[];
  /** An update that passed every check broke the document. */
  broken(): void;
  /** Milliseconds between two broadcasts of this tab; 0 sends every letter at once. */
  interval(): number;
};

export type DocumentProvider = {
  joined(): void;
  left(): void;
  broadcast(event: string, payload: unknown): void;
  /** Says this tab's caret again, for those who have just come. */
  announce(): void;
  destroy(): void;
};

type Message = { update: string; user: { id: string }; timestamp: number };
type Heard = (message: { payload: Message }) => void;

/**
 * y-supabase's provider, spoken to through a stand-in for the Supabase client, which keeps it to what is sound: the
 * private channel that the hub owns, updates and carets only (its state-vector exchange loses updates after a
 * reconnect, and catching up is the log's), each tab speaking for itself only, and nothing applied unread.
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
  // The provider uses `channel` and `removeChannel` of a client, and of a channel what is above.
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

  /** Whether a message is what one other tab says of itself. Who speaks for this tab is contradicted. */
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
      // The provider catches what Yjs throws, when half of the update may be in the document.
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
      // Not left to the throttle: nothing of this tab may speak later.
      sendCaret();
      destroyed = true;
    },
  };
}

function messageOf(payload: unknown): Message | null {
  if (typeof payload !== "object" || payload === null || !("update" in payload)) return null;
  if (typeof payload.update !== "string") return null;
  // The sender's own name for itself is worth nothing; another than ours lets the provider take the message.
  return { update: payload.update, user: { id: "" }, timestamp: 0 };
}

function readable(base64: string): { bytes: Uint8Array; inspected: InspectedUpdate } | null {
  try {
    const bytes = fromBase64(base64);
    return { bytes, inspected: inspectUpdate(bytes) };
  } catch {
    // Garbage on the channel is nobody's text: the log would bring it if it were.
    return null;
  }
}

/** The one client that a caret message speaks of, and how often it says its caret has moved; null for anything else. */
function readCaret(base64: string): { client: number; moved: number } | null {
  try {
    const reader = new ByteReader(fromBase64(base64));
    if (reader.varUint() !== 1) return null;
    return { client: reader.varUint(), moved: reader.varUint() };
  } catch {
    return null;
  }
}

/** Runs a task at most once per interval, the last wish included. */
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

/** The provider destroys itself, and the caret, on `beforeunload`, also when the page then stays. */
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

/** y-supabase names itself by `crypto.randomUUID`, which browsers hide on an insecure origin. */
function ensureRandomUuid(): void {
  if (!("randomUUID" in crypto))
    Object.defineProperty(crypto, "randomUUID", { value: systemRandom.uuid, configurable: true });
}
