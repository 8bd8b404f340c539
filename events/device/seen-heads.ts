import { hexToBytes } from "@noble/hashes/utils.js";
import { systemClock } from "@/events/core/clock";
import { deviceDatabase } from "./database";
import type { DeviceDatabase, DeviceTransaction } from "./database";
import { withDeadline } from "./deadline";
import { nothingRemembered } from "@/events/proof/verification";
import type { Remembered, Seen } from "@/events/proof/verification";

/** One event that this browser saw: its version, and its hash in hex. */
export type SeenHead = { version: number; hash: string };

/** The first version at which a different hash was remembered, or null if there is none. */
export type Contradiction = { version: number } | null;

/** The memory of the heads that this browser has seen, whatever the log answers later. */
export type SeenHeads = {
  recall(stream: string): Promise<Remembered>;
  /** Adds seen heads. If they contradict remembered heads, the memory stays unchanged. */
  remember(stream: string, seenHeads: readonly SeenHead[], at: number): Promise<Contradiction>;
  /** Forgets all heads from a version on, because the person accepted another history. */
  forget(stream: string, from: number): Promise<void>;
};

type Head = Seen & { since: number };

const perChunk = 256;
const markBytes = 16;
const chunkOf = (version: number) => Math.floor(version / perChunk);
const offsetOf = (version: number) => (version % perChunk) * markBytes;

/** Reads the newest seen head of a stream from the store `heads`. */
function headOf(transaction: DeviceTransaction, stream: string): Promise<Head | undefined> {
  return transaction.objectStore("heads").get(stream);
}

/** Reads half-hashes of 256 versions from the store `marks`. Unseen versions are zeros. */
function chunkIn(
  transaction: DeviceTransaction,
  stream: string,
  chunk: number,
): Promise<Uint8Array | undefined> {
  return transaction.objectStore("marks").get([stream, chunk]);
}

/** Whether a chunk has this hash at this version. Null if the chunk has no hash there. */
function compared(chunk: Uint8Array | undefined, { version, hash }: SeenHead): boolean | null {
  const known = chunk?.subarray(offsetOf(version), offsetOf(version) + markBytes);
  if (!known?.some((byte) => byte !== 0)) return null;
  const mark = hexToBytes(hash.slice(0, markBytes * 2));
  return known.every((byte, index) => byte === mark[index]);
}

/** Creates the memory in IndexedDB: sixteen bytes per event and one record per stream. */
export function indexedDbHeads(name = "palimpsest-heads"): SeenHeads {
  const database = deviceDatabase(name, ["heads", "marks"]);
  const transact: DeviceDatabase["transact"] = (mode, work) =>
    withDeadline(systemClock, database.transact(mode, work));

  return {
    recall: (stream) =>
      transact("readonly", async (transaction) => {
        const head = await headOf(transaction, stream);
        if (!head) return nothingRemembered;
        const range = IDBKeyRange.bound([stream, 0], [stream, Number.MAX_SAFE_INTEGER]);
        const marks = transaction.objectStore("marks");
        const [keys, values]: [IDBValidKey[], Uint8Array[]] = await Promise.all([
          marks.getAllKeys(range),
          marks.getAll(range),
        ]);
        const chunks = new Map(
          keys.map((key, index) => [Array.isArray(key) ? key[1] : key, values[index]]),
        );
        const { since, ...seen } = head;
        return {
          head: seen,
          since,
          agrees: (version, hash) => compared(chunks.get(chunkOf(version)), { version, hash }),
        };
      }),

    remember: (stream, seenHeads, at) =>
      transact("readwrite", async (transaction) => {
        const chunkNumbers = [...new Set(seenHeads.map(({ version }) => chunkOf(version)))];
        const chunks = new Map(
          await Promise.all(
            chunkNumbers.map(
              async (chunk) =>
                [
                  chunk,
                  (await chunkIn(transaction, stream, chunk)) ??
                    new Uint8Array(perChunk * markBytes),
                ] as const,
            ),
          ),
        );
        const ascending = seenHeads.toSorted((one, other) => one.version - other.version);
        const contradicted = ascending.find(
          (seenHead) => compared(chunks.get(chunkOf(seenHead.version)), seenHead) === false,
        );
        if (contradicted) return { version: contradicted.version };
        for (const { version, hash } of ascending)
          chunks
            .get(chunkOf(version))
            ?.set(hexToBytes(hash.slice(0, markBytes * 2)), offsetOf(version));
        const marks = transaction.objectStore("marks");
        await Promise.all(
          [...chunks].map(async ([chunk, bytes]) => marks.put(bytes, [stream, chunk])),
        );
        const known = await headOf(transaction, stream);
        const newest = ascending.at(-1);
        if (newest && (!known || newest.version > known.version))
          await transaction
            .objectStore("heads")
            .put({ ...newest, at, since: known?.since ?? at } satisfies Head, stream);
        return null;
      }),

    async forget(stream, from) {
      await transact("readwrite", async (transaction) => {
        const marks = transaction.objectStore("marks");
        await marks.delete(
          IDBKeyRange.bound([stream, chunkOf(from) + 1], [stream, Number.MAX_SAFE_INTEGER]),
        );
        const chunk = await chunkIn(transaction, stream, chunkOf(from));
        if (chunk) await marks.put(chunk.fill(0, offsetOf(from)), [stream, chunkOf(from)]);
        await transaction.objectStore("heads").delete(stream);
      });
    },
  };
}
