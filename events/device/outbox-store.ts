import type { Clock } from "@/events/core/clock";
import { deviceDatabase } from "./database";
import type { DeviceDatabase, DeviceStore } from "./database";
import { withDeadline } from "./deadline";
import { isUnsent } from "./outbox";
import type { Outbox, OutboxBox, OutboxRecord, OutboxScope } from "./outbox";
import { recordFrom } from "./stored-record";
import type { TabLocks } from "./tab-locks";
import { noNews } from "./tab-news";
import type { JoinTabNews } from "./tab-news";

const store = "records";
/** Scope prefix of records that are stored but no longer sent. No person's id begins with it. */
const aside = "aside:";

type Input = { tab: string; locks: TabLocks; clock: Clock; news?: JoinTabNews; name?: string };

/** Returns a record's scope, tab and own name, from its key. */
function placeOf(key: IDBValidKey): { scope: string; tab: string; own: string } {
  const [scope, tab, own] = Array.isArray(key) ? key : [];
  return { scope: String(scope), tab: String(tab), own: String(own) };
}

const scopeOf = ({ userId, documentId }: OutboxScope) => `${userId}/${documentId}`;
// An array sorts after any other part of a key.
const allOf = (...place: string[]) => IDBKeyRange.bound(place, [...place, []]);

/**
 * Creates an outbox in IndexedDB. A tab owns its part while it holds its lock. A dead tab's records
 * are moved in one transaction, so two tabs never take over the same records.
 */
export function indexedDbOutbox(input: Input): Outbox {
  const database = deviceDatabase(input.name ?? "palimpsest-outbox", [store]);
  const look = <T>(work: (records: DeviceStore<"readonly">) => Promise<T>) =>
    withDeadline(
      input.clock,
      database.transact("readonly", (transaction) => work(transaction.objectStore(store))),
    );
  return {
    async documents(userId) {
      const range = IDBKeyRange.bound([`${userId}/`], [`${userId}/\uffff`]);
      const keys = await look((records) => records.getAllKeys(range));
      return [...new Set(keys.map((key) => placeOf(key).scope.slice(userId.length + 1)))];
    },
    peek: async (scope) => look((records) => recordsIn(records, allOf(scopeOf(scope)))),
    open: async (scope) => openBox(database, scopeOf(scope), input),
  };
}

/**
 * Calls the listener when the records of this person's tabs for a document may have changed.
 * Returns the function that stops watching.
 */
export function watchOutbox(
  scope: OutboxScope,
  news: JoinTabNews,
  onChanged: () => void,
): () => void {
  const line = news((heard) => {
    if (heard.scope === scopeOf(scope) && heard.kind === "changed") onChanged();
  });
  return () => line.close();
}

/**
 * Opens a tab's part of a scope without waiting for the device. Operations that need the device
 * wait for it, and report whether it answers.
 */
function openBox(
  database: DeviceDatabase,
  scope: string,
  { tab, locks, news = noNews }: Input,
): OutboxBox {
  const listeners = new Set<Parameters<OutboxBox["onNews"]>[0]>();
  const notify = (kind: Parameters<Parameters<OutboxBox["onNews"]>[0]>[0]) => {
    for (const listener of listeners) listener(kind);
  };
  const channel = news((heard) => heard.scope === scope && notify(heard.kind));
  const post = (kind: "changed" | "wanted") => channel.post({ scope, kind });
  const stopLosing = database.onClosed(() => notify("evicted"));
  const lockOf = (holder: string) => `palimpsest-outbox/${scope}/${holder}`;
  const waiting = new Set<string>();
  let closed = false;
  let holding: Promise<void> | null = null;
  let release: (() => void) | null = null;
  const held = () => {
    holding ??= locks.hold(lockOf(tab)).then(
      (given) => {
        if (closed) given?.();
        else release = given;
      },
      (error: unknown) => {
        holding = null;
        throw error;
      },
    );
    return holding;
  };
  const note = (change: () => void) => {
    const waited = waiting.size > 0;
    change();
    if (waiting.size > 0 !== waited) post("changed");
  };

  return {
    newsWorks: channel.works,
    async takeOverLeftovers() {
      if (closed) return [];
      await held();
      const keys = await database.transact("readonly", (transaction) =>
        transaction.objectStore(store).getAllKeys(allOf(scope)),
      );
      const takenOver: OutboxRecord[] = [];
      for (const from of new Set(keys.map((key) => placeOf(key).tab))) {
        if (from === tab) continue;
        const releaseOther = await locks.hold(lockOf(from));
        if (!releaseOther) continue;
        try {
          takenOver.push(...(await moved(database, scope, from, tab)));
        } catch (fault) {
          // This tab sends the records moved so far. The remaining tabs are tried again later.
          if (takenOver.length === 0) throw fault;
          break;
        } finally {
          releaseOther();
        }
      }
      note(() => takenOver.filter(isUnsent).forEach(({ key }) => waiting.add(key)));
      return takenOver;
    },
    async elsewhere() {
      const records = await database.transact("readonly", async (transaction) => {
        const all = transaction.objectStore(store);
        const before = IDBKeyRange.bound([scope], [scope, tab], false, true);
        const behind = IDBKeyRange.bound([scope, tab, []], [scope, []], true);
        return [...(await recordsIn(all, before)), ...(await recordsIn(all, behind))];
      });
      return (
        records
          .filter(isUnsent)
          .map(({ key }) => key)
          .sort()[0] ?? null
      );
    },
    want: () => post("wanted"),
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async write({ put = [], remove = [], setAside = [] }) {
      if (closed) return;
      // Without the lock, another tab would treat these records as leftovers.
      await held();
      await database.transact("readwrite", async (transaction) => {
        const records = transaction.objectStore(store);
        // A device may refuse at once by throwing; earlier requests must still be awaited.
        let refused = false;
        const ask = async (request: () => Promise<unknown>) => {
          try {
            return request();
          } catch (fault) {
            refused = true;
            throw fault;
          }
        };
        const requests = [
          ...remove.map((key) => ask(() => records.delete([scope, tab, key]))),
          ...put.map((record) =>
            ask(() => records.put(storedForm(record), [scope, tab, record.key])),
          ),
        ];
        // An explicit commit preserves the records even if the page ends before its requests are
        // answered.
        if (!refused && setAside.length === 0) transaction.commit();
        await Promise.all(requests);
        for (const key of setAside) {
          if ((await records.getKey([scope, tab, key])) === undefined) continue;
          const found: unknown = await records.get([scope, tab, key]);
          await records.put(found, [aside + scope, tab, key]);
          await records.delete([scope, tab, key]);
        }
      });
      note(() => {
        for (const key of [...remove, ...setAside]) waiting.delete(key);
        for (const record of put) if (isUnsent(record)) waiting.add(record.key);
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      listeners.clear();
      stopLosing();
      release?.();
      post("changed");
      channel.close();
    },
  };
}

/** Returns the stored form of a record. An unreadable record stays as it was found. */
const storedForm = (record: OutboxRecord): unknown =>
  record.kind === "broken" ? record.found : record;

async function recordsIn(records: DeviceStore, range: IDBKeyRange): Promise<OutboxRecord[]> {
  const [keys, found]: [IDBValidKey[], unknown[]] = await Promise.all([
    records.getAllKeys(range),
    records.getAll(range),
  ]);
  return keys.map((key, index) => recordFrom(placeOf(key).own, found[index]));
}

/**
 * Moves one tab's records to another tab. The caller holds both locks. Unreadable records stay in
 * place, as broken records.
 */
async function moved(
  database: DeviceDatabase,
  scope: string,
  from: string,
  to: string,
): Promise<OutboxRecord[]> {
  const move = (keys: IDBKeyRange) =>
    database.transact("readwrite", async (transaction) => {
      const records = transaction.objectStore(store);
      const left = await recordsIn(records, keys);
      await records.delete(keys);
      await Promise.all(
        left.map(async (record) => records.put(storedForm(record), [scope, to, record.key])),
      );
      return left;
    });
  try {
    return await move(allOf(scope, from));
  } catch (fault) {
    // An unreadable record must not hold back the others.
    const keys = await database.transact("readonly", (transaction) =>
      transaction.objectStore(store).getAllKeys(allOf(scope, from)),
    );
    const single: OutboxRecord[] = [];
    for (const key of keys) {
      const readable = await database
        .transact("readonly", (transaction) => transaction.objectStore(store).get(key))
        .then(
          () => true,
          () => false,
        );
      try {
        if (readable) single.push(...(await move(IDBKeyRange.only(key))));
        else single.push({ kind: "broken", key: placeOf(key).own, found: null });
      } catch {
        if (single.length === 0) throw fault;
        break;
      }
    }
    return single;
  }
}
