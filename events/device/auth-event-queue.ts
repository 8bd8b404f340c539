import type { Refusal } from "@/events/log/refusal";
import type { DeviceStorage } from "./steady-storage";
import type { QueuedAuthEvent } from "@/events/auth/queued-auth-event";

/** An auth event that the log refused, with the refusal. */
export type RefusedAuthEvent = { authEvent: QueuedAuthEvent; refusal: Refusal };

/**
 * Stores auth events until the log has them. The queue survives reloads and is shared by the
 * browser's tabs.
 */
export type AuthEventQueue = {
  put(authEvent: QueuedAuthEvent): void;
  /** Returns a person's auth events in order of creation. */
  waiting(userId: string): QueuedAuthEvent[];
  take(id: string): void;
  /** Sets a refused auth event aside, to be shown to the person. */
  refuse(id: string, refusal: Refusal): void;
  refused(userId: string): RefusedAuthEvent[];
  /** Queues a person's refused auth events again. */
  retry(userId: string): void;
  /** Whether any tab has queued the start of this session before. */
  knows(sessionId: string): boolean;
  know(sessionId: string): void;
};

const waitingPrefix = "palimpsest:statement:";
const knownKey = "palimpsest:sessions";
const knownAtMost = 20;

const isText = (value: unknown): value is string => typeof value === "string";

/**
 * `place` orders auth events of the same millisecond: a sign-in by a recovery link creates two at
 * once. The keys are those of stored entries.
 */
type Entry = { place: number; statement: QueuedAuthEvent; refusal?: Refusal };

function parseEntry(text: string | null): Entry | null {
  try {
    // Only this file writes under the prefix. Entries that an older release stored in another
    // format lack these fields.
    const entry = JSON.parse(text ?? "null") as Entry | null;
    const { id, userId, clientTime } = entry?.statement ?? {};
    return isText(id) && isText(userId) && isText(clientTime) ? entry : null;
  } catch {
    return null;
  }
}

function parseKnown(text: string | null): string[] {
  try {
    const known: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(known) ? known.filter(isText) : [];
  } catch {
    return [];
  }
}

/** Creates a queue in local storage, with an entry per event so that tabs overwrite none. */
export function storageQueue(storage: DeviceStorage): AuthEventQueue {
  const known = () => parseKnown(storage.getItem(knownKey));
  const entries = () =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "")
      .filter((key) => key.startsWith(waitingPrefix))
      .map((key) => parseEntry(storage.getItem(key)))
      .filter((entry) => entry !== null);
  const entriesOf = (userId: string) =>
    entries()
      .filter(({ statement }) => statement.userId === userId)
      .sort(
        (a, b) => a.statement.clientTime.localeCompare(b.statement.clientTime) || a.place - b.place,
      );
  const store = (entry: Entry) =>
    storage.setItem(waitingPrefix + entry.statement.id, JSON.stringify(entry));
  return {
    put(authEvent) {
      const key = waitingPrefix + authEvent.id;
      if (storage.getItem(key) !== null) return;
      const place = Math.max(0, ...entries().map((entry) => entry.place)) + 1;
      store({ place, statement: authEvent });
    },
    waiting: (userId) =>
      entriesOf(userId)
        .filter((entry) => !entry.refusal)
        .map((entry) => entry.statement),
    take: (id) => storage.removeItem(waitingPrefix + id),
    refuse(id, refusal) {
      const entry = parseEntry(storage.getItem(waitingPrefix + id));
      if (entry) store({ ...entry, refusal });
    },
    refused: (userId) =>
      entriesOf(userId).flatMap(({ statement, refusal }) =>
        refusal ? [{ authEvent: statement, refusal }] : [],
      ),
    retry(userId) {
      for (const { place, statement, refusal } of entriesOf(userId))
        if (refusal) store({ place, statement });
    },
    knows: (sessionId) => known().includes(sessionId),
    know(sessionId) {
      const others = known().filter((other) => other !== sessionId);
      storage.setItem(knownKey, JSON.stringify([...others, sessionId].slice(-knownAtMost)));
    },
  };
}
