import { type Clock } from "@/events/core/clock";
import { type Subject } from "@/events/core/envelope";
import { type OptimisticEvent } from "@/events/log/stream-rules";
import { deviceDatabase } from "./database";
import { type TabLocks } from "./tab-locks";

/** A proposal that waits for its ruling, and the stream that it is proposed to. */
export type KeptProposal = { stream: Subject; event: OptimisticEvent };

/** What one person has proposed in one workspace. */
export type ProposalScope = { userId: string; workspaceId: string };

/** The part of the device's proposals that one tab owns. */
export type ProposalBox = {
  /** Keeps proposals, in their order, behind those that are kept already. */
  put(proposals: readonly KeptProposal[]): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** What tabs that have died left behind, in the order in which it was proposed; from now on this tab's. */
  takeOver(): Promise<KeptProposal[]>;
  /** Gives the box up: what is still in it may be taken over by another tab. */
  close(): void;
};

export type DeviceProposals = {
  open(scope: ProposalScope): ProposalBox;
  /** The workspaces in which this person's tabs, living or dead, have proposed something. */
  workspaces(userId: string): Promise<string[]>;
  /** How many this person's tabs, living or dead, keep. */
  count(userId: string): Promise<number>;
  /** Drops whatever this person has proposed, as somebody whose account is gone. */
  forget(userId: string): Promise<void>;
};

const store = "proposals";
// An array stands behind everything else that a key may hold.
const allOf = (...place: string[]) => IDBKeyRange.bound(place, [...place, []]);

/** The person, the workspace, the tab, the place in the order and the id of a record, as its key has them. */
function placeOf(key: IDBValidKey): readonly [string, string, string, string, string] {
  const parts = Array.isArray(key) ? key.map(String) : [];
  const [user = "", workspace = "", tab = "", order = "", id = ""] = parts;
  return [user, workspace, tab, order, id];
}

/**
 * The proposals of this device in IndexedDB, each tab's under a lock that it holds for as long as it lives. A proposal
 * keeps its id, by which it is recorded once, however often it is sent.
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
    /** The first moment behind all proposals of this device that are known here: its clock may be set back. */
    let earliest = 0;
    const learn = (places: readonly IDBValidKey[]) => {
      for (const key of places) {
        const [, , holder, order] = placeOf(key);
        if (holder !== tab) earliest = Math.max(earliest, Number(order.split("-")[0]) + 1 || 0);
      }
    };
    /** Where the next one stands: behind all others of this device. */
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

    /** Makes what one tab left, whose lock is held here, this tab's, in the order that it had. */
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
        // Without the lock another tab would take what is written here for left behind.
        await held();
        await database.transact("readwrite", async (transaction) => {
          const records = transaction.objectStore(store);
          const requests = placed.map(async ([record, key]) => records.put(record, key));
          // Said now, it is kept also where the page is gone before its requests are answered.
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

/** Whether this is what a release of this product has put there; what its body says is the database's to judge. */
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
