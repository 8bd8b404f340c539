import type { Refusal } from "@/events/log/refusal";
import type { DeviceStorage } from "./steady-storage";
import type { Statement } from "@/events/auth/queued-auth-event";

/** A statement that the log refused, and why. */
export type RefusedStatement = { statement: Statement; refusal: Refusal };

/** Keeps statements until the log has them, across reloads, and shared by the tabs of one browser. */
export type AuthEventQueue = {
  put(statement: Statement): void;
  /** A person's statements in the order in which they were made. */
  waiting(userId: string): Statement[];
  take(id: string): void;
  /** Sets a statement aside that the log will not have, so that its person can be told. */
  refuse(id: string, refusal: Refusal): void;
  refused(userId: string): RefusedStatement[];
  /** Lets a person's refused statements wait once more. */
  retry(userId: string): void;
  /** Whether the arrival of this session was stated before, in whatever tab. */
  knows(sessionId: string): boolean;
  know(sessionId: string): void;
};

const waitingPrefix = "palimpsest:statement:";
const knownKey = "palimpsest:sessions";
const knownAtMost = 20;

const isText = (value: unknown): value is string => typeof value === "string";

/** `place` orders statements of the same millisecond: signing in by a recovery link makes two at once. */
type Entry = { place: number; statement: Statement; refusal?: Refusal };

function parseEntry(text: string | null): Entry | null {
  try {
    // Only this file writes under the prefix; what an older release wrote in another shape lacks the fields asked for.
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

/** A shelf in the browser's local storage: one entry a statement, so that two tabs never overwrite each other's. */
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
    put(statement) {
      const key = waitingPrefix + statement.id;
      if (storage.getItem(key) !== null) return;
      const place = Math.max(0, ...entries().map((entry) => entry.place)) + 1;
      store({ place, statement });
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
        refusal ? [{ statement, refusal }] : [],
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
