import { bytesToHex } from "@noble/hashes/utils.js";
import type { Ruled } from "@/events/core/envelope";
import { eventHash, payloadHash } from "@/events/log/hash";

const id = (kind: string, number: number) =>
  `00000000-0000-4000-8000-${kind}${String(number).padStart(11, "0")}`;
export const streamOf = (number: number) => id("d", number);
const [ana, ben] = [id("a", 1), id("a", 2)];

/**
 * Recomputes the hashes of rows, payloads and chain, as the database's owner could. Missing
 * payloads keep their hash.
 */
export async function hashed(rows: readonly Ruled[]): Promise<Ruled[]> {
  const chain: Ruled[] = [];
  for (const row of rows) {
    const gone = row.bodyText === null || row.salt === null;
    const salt = Uint8Array.from(row.salt?.match(/../g) ?? [], (byte) => parseInt(byte, 16));
    const committed = gone
      ? row
      : { ...row, payloadHash: await payloadHash(salt, row.bodyText ?? "", row.update) };
    chain.push({ ...committed, hash: await eventHash(chain.at(-1)?.hash ?? null, committed) });
  }
  return chain;
}

/** Returns one row without hashes: an edit by Ana or Ben. */
export function unhashed(version: number, fields: Partial<Ruled> = {}): Ruled {
  const time = new Date(Date.UTC(2026, 10, 14, 12, 0, version)).toISOString().replace("Z", "000Z");
  const bodyText = fields.bodyText === undefined ? "{}" : fields.bodyText;
  return {
    id: id("e", version),
    streamId: streamOf(1),
    streamKind: "document",
    workspaceId: id("c", 1),
    version,
    position: version + 6,
    type: version === 1 ? "document.created" : "document.edited",
    subject: { kind: "document", id: streamOf(1) },
    fromPhase: version === 1 ? "absent" : "live",
    toPhase: "live",
    schema: 1,
    actorId: version % 2 === 1 ? ana : ben,
    clientIds: version === 2 ? [7, 9] : [],
    clientTime: time,
    recordedAt: time.replace("000000Z", "250001Z"),
    payloadHash: "",
    hash: "",
    body: bodyText === null ? null : JSON.parse(bodyText),
    bodyText,
    salt: bytesToHex(Uint8Array.from({ length: 16 }, (_, index) => version * 16 + index)),
    update: version === 1 ? null : Uint8Array.from([1, 2, version]),
    ...fields,
  };
}

/** Returns a valid stream of `length` events. */
export function chain(length: number, fields: Partial<Ruled> = {}): Promise<Ruled[]> {
  return hashed(Array.from({ length }, (_, index) => unhashed(index + 1, fields)));
}
