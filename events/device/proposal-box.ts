import type { Clock } from "@/events/core/clock";
import type { Subject } from "@/events/core/envelope";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { deviceDatabase } from "./database";
import type { TabLocks } from "./tab-locks";

/** A proposal without a ruling, with its stream. */
export type KeptProposal = { stream: Subject; event: OptimisticEvent };

/** One person's proposals in one workspace. */
export type ProposalScope = { userId: string; workspaceId: string };

/** The part of the device's proposals that one tab owns. */
export type ProposalBox = {
  /** Appends proposals, in order, to those already kept. */
  put(proposals: readonly KeptProposal[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /**
   * Takes over and returns the leftovers of dead tabs, in the order in which they were proposed.
   */
  takeOver(): Promise<KeptProposal[]>;
  /** Closes the box, after which another tab may take over its content. */
  close(): void;
};

export type DeviceProposals = {
  open(scope: ProposalScope): ProposalBox;
  /** Resolves to the workspaces in which this person's tabs, alive or dead, have proposals. */
  workspaces(userId: string): Promise<string[]>;
  /** Resolves to the number of proposals that this person's tabs, alive or dead, hold. */
  count(userId: string): Promise<number>;
  /** Deletes all proposals of a person whose account is gone. */
  forget(userId: string): Promise<void>;
};

const store = "proposals";
// An array sorts after any other part of a key.
const allOf = (...place: string[]) => IDBKeyRange.bound(place, [...place, []]);

/** Returns a record's person, workspace, tab, order and id, from its key. */
function placeOf(key: IDBValidKey): readonly [string, string, string, string, string] {
  const parts = Array.isArray(key) ? key.map(String) : [];
  const [user = "", workspace = "", tab = "", order = "", id = ""] = parts;
  return [user, workspace, tab, order, id];
}

/**
 * Stores the device's proposals in IndexedDB, under a lock that each tab holds while it lives. A
 * proposal keeps its id, so it is recorded once, however often it is sent.
 */
export function indexedDbProposals(input: {
  tab: string;
  locks: TabLocks;
  clock: Clock;
  name?: string;
}): DeviceProposals {
  const { tab, locks, clock } = input;
  const database = deviceDatabase(input.name ?? "palimpsest-proposals", [store]);
  const keysIn = (range: IDBKeyRange) =>
    database.transact("readonly", (transaction) =>
      transaction.objectStore(store).getAllKeys(range),
    );

  const open = ({ userId, workspaceId }: ProposalScope): ProposalBox => {
    const lockOf = (holder: string) => `palimpsest-proposals/${userId}/${workspaceId}/${holder}`;
    const keys = new Map<string, [string, string, string, string, string]>();
    let count = 0;
    let closed = false;
    let release: (() => void) | null = null;
    let holding: Promise<void> | null = null;
    const held = () => {
      holding ??= locks.hold(lockOf(tab)).then(
        (given) => {
          if (closed) given?.();
          else release = given;
        },
        (fault: unknown) => {
          holding = null;
          throw fault;
        },
      );
      return holding;
    };
    /** A time later than all known proposals of this device, whose clock may be set back. */
    let earliest = 0;
    const learn = (places: readonly IDBValidKey[]) => {
      for (const key of places) {
        const [, , holder, order] = placeOf(key);
        if (holder !== tab) earliest = Math.max(earliest, Number(order.split("-")[0]) + 1 || 0);
      }
    };
    /** Returns the next order key, which sorts after all others of this device. */
    const next = () => {
      count += 1;
      earliest = Math.max(earliest, clock.now());
      return `${String(earliest).padStart(15, "0")}-${String(count).padStart(9, "0")}`;
    };
    const place = (id: string, order = next()) => {
      const key: [string, string, string, string, string] = [userId, workspaceId, tab, order, id];
      keys.set(id, key);
      return key;
    };

    /** Moves the records of a dead tab, whose lock is held here, to this tab, in order. */
    const moved = (from: string) =>
      database.transact("readwrite", async (transaction) => {
        const records = transaction.objectStore(store);
        const range = allOf(userId, workspaceId, from);
        const found: unknown[] = await records.getAll(range);
        const orders = (await records.getAllKeys(range)).map((key) => placeOf(key)[3]);
        const kept = found.filter(isKept).filter(({ event }) => event.actorId === userId);
        await records.delete(range);
        await Promise.all(
          kept.map((record) =>
            records.put(record, place(record.event.id, orders[found.indexOf(record)])),
          ),
        );
        return kept;
      });

    return {
      async put(proposals) {
        if (closed || proposals.length === 0) return;
        const placed = proposals.map((record) => [record, place(record.event.id)] as const);
        // Without the lock, another tab would treat these records as leftovers.
        await held();
        await database.transact("readwrite", async (transaction) => {
          const records = transaction.objectStore(store);
          const requests = placed.map(async ([record, key]) => records.put(record, key));
          // An explicit commit preserves the records even if the page ends before its requests are
          // answered.
          transaction.commit();
          await Promise.all(requests);
        });
      },
      async remove(ids) {
        const places = ids.map((id) => keys.get(id)).filter((key) => key !== undefined);
        for (const id of ids) keys.delete(id);
        if (places.length === 0) return;
        await held();
        await database.transact("readwrite", async (transaction) => {
          const records = transaction.objectStore(store);
          await Promise.all(places.map(async (key) => records.delete(key)));
        });
      },
      async takeOver() {
        if (closed) return [];
        await held();
        const left = await keysIn(allOf(userId, workspaceId));
        learn(left);
        const ordered: { order: string; kept: KeptProposal }[] = [];
        const orders = new Map(left.map(placeOf).map(([, , , order, id]) => [id, order]));
        for (const from of new Set(left.map((key) => placeOf(key)[2]))) {
          if (from === tab) continue;
          const releaseOther = await locks.hold(lockOf(from));
          if (!releaseOther) continue;
          try {
            for (const kept of await moved(from))
              ordered.push({ order: orders.get(kept.event.id) ?? "", kept });
          } finally {
            releaseOther();
          }
        }
        return ordered.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ kept }) => kept);
      },
      close() {
        closed = true;
        release?.();
      },
    };
  };

  return {
    open,
    async workspaces(userId) {
      const keys = await keysIn(allOf(userId));
      return [...new Set(keys.map((key) => placeOf(key)[1]))];
    },
    count: async (userId) => (await keysIn(allOf(userId))).length,
    forget: (userId) =>
      database.transact("readwrite", (transaction) =>
        transaction.objectStore(store).delete(allOf(userId)),
      ),
  };
}

const isSubject = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "kind" in value &&
  typeof value.kind === "string" &&
  "id" in value &&
  typeof value.id === "string";

/** Whether a release of this product stored this value. The database validates its body. */
function isKept(value: unknown): value is KeptProposal {
  if (typeof value !== "object" || value === null || !("stream" in value) || !("event" in value))
    return false;
  const { event } = value;
  if (!isSubject(value.stream) || typeof event !== "object" || event === null) return false;
  const { id, type, body, subject, actorId, time, ...rest }: { [name: string]: unknown } = {
    ...event,
  };
  const texts = [id, type, actorId, time].every((text) => typeof text === "string");
  const isWhole = typeof body === "object" && body !== null && isSubject(subject);
  const mayLack = [rest.batch, rest.replaces];
  return (
    texts && isWhole && mayLack.every((text) => text === undefined || typeof text === "string")
  );
}
